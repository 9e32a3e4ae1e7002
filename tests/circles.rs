//! Files that import each other in circles: no circle has more than three files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A module, by the names of its path from the root of the crate.
type Module = Vec<String>;

/// Adds the texts of the source files below a folder, without their tests.
fn read(folder: &Path, module: &[String], texts: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        let name = entry.file_stem().unwrap().to_str().unwrap();
        let inner = [module, &[name.to_owned()]].concat();
        if entry.is_dir() {
            read(&entry, &inner, texts);
        } else if entry.extension().is_some_and(|extension| extension == "rs") && name != "tests" {
            let text = fs::read_to_string(&entry).unwrap();
            let code = text.split("\nmod tests").next().unwrap().to_owned();
            texts.insert(if matches!(name, "lib" | "main" | "mod") { module.to_vec() } else { inner }, code);
        }
    }
}

/// Returns the paths that the tree of a `use` item has: two for `a::{b, c}`.
fn paths(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((prefix, rest)) = tree.split_once('{') else { return vec![tree.to_owned()] };
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in rest[..rest.rfind('}').unwrap()].chars() {
        depth += i32::from(c == '{') - i32::from(c == '}');
        match c {
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut().unwrap().push(c),
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts.iter().flat_map(|part| paths(&[prefix, part.trim()].concat())).collect()
}

/// Returns for each `use` of a module whether it is public, and the path from the root of the crate.
fn uses(module: &[String], text: &str) -> Vec<(bool, Module)> {
    let mut found = Vec::new();
    for (start, _) in text.match_indices("use ") {
        let line = text[..start].rsplit('\n').next().unwrap();
        let before = line.trim();
        let Some((tree, _)) = text[start + 4..].split_once(';') else { continue };
        let is_item = before.is_empty() || before == "pub" || before.starts_with("pub(");
        if !is_item {
            continue;
        }
        for path in paths(tree) {
            let names: Vec<&str> = path.split(" as ").next().unwrap().split("::").map(str::trim).collect();
            let supers = names.iter().take_while(|name| **name == "super").count();
            let (here, rest) = match names[0] {
                "crate" => (&module[..0], &names[1..]),
                "self" => (module, &names[1..]),
                // In a module within the file, this is the file itself.
                "super" if line.starts_with(' ') => continue,
                "super" => (&module[..module.len() - supers], &names[supers..]),
                _ => continue,
            };
            found.push((
                !before.is_empty(),
                [here, &rest.iter().map(|name| name.to_string()).collect::<Vec<_>>()].concat(),
            ));
        }
    }
    found
}

/// Returns for each module those that it imports. What a module only passes on is imported from its origin.
fn imports(texts: &BTreeMap<Module, String>) -> BTreeMap<&Module, BTreeSet<&Module>> {
    let file_of = |path: &[String]| {
        let len = (0..=path.len()).rev().find(|&len| texts.contains_key(&path[..len])).unwrap();
        (texts.get_key_value(&path[..len]).unwrap().0, path.get(len).cloned())
    };
    let all: Vec<_> = texts
        .iter()
        .flat_map(|(module, text)| {
            uses(module, text).into_iter().map(move |(is_public, path)| (module, is_public, path))
        })
        .collect();
    let passed_on: BTreeMap<(&Module, String), &Module> = all
        .iter()
        .filter(|(_, is_public, _)| *is_public)
        .filter_map(|(module, _, path)| Some(((*module, file_of(path).1?), file_of(path).0)))
        .collect();
    let mut imports = BTreeMap::<_, BTreeSet<_>>::new();
    for (module, _, path) in &all {
        let (mut origin, item) = file_of(path);
        let mut key = item.map(|item| (origin, item));
        // Names are passed on a few times at most.
        for _ in 0..5 {
            let Some(next) = key.as_ref().and_then(|key| passed_on.get(key)) else { break };
            (origin, key) = (next, key.map(|(_, item)| (*next, item)));
        }
        if origin != *module {
            imports.entry(*module).or_default().insert(origin);
        }
    }
    imports
}

#[test]
fn no_circle_has_more_than_three_files() {
    for source in ["src", "crates/links/src", "crates/cli/src"] {
        let mut texts = BTreeMap::new();
        read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(source), &[], &mut texts);
        let imports = imports(&texts);
        assert!(imports.values().map(BTreeSet::len).sum::<usize>() > texts.len(), "{source}: few imports are found");
        let reached = |from| {
            let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
            while let Some(module) = next.pop() {
                next.extend(imports.get(module).into_iter().flatten().filter(|module| reached.insert(**module)));
            }
            reached
        };
        let from: BTreeMap<&Module, BTreeSet<&Module>> = texts.keys().map(|module| (module, reached(module))).collect();
        for (module, reached) in &from {
            let circle: Vec<_> = reached.iter().filter(|other| from[**other].contains(module)).collect();
            assert!(circle.len() <= 3, "{source}: these import each other: {circle:?}");
        }
    }
}
