//! `relref inspect`: what a URI consists of.

use std::io;

use relref::UriRef;
use relref::percent::decode;
use relref::scheme::{
    Address, Authority, FormCode, Ftp, FtpPassword, FtpType, Gopher, GopherSearch, NewsTarget, Prospero, View, Wais,
    info, view,
};
use serde_json::{Map, Value, json};

use crate::args::Inspect;
use crate::output::{Output, quoted};

const LISTS: [&str; 4] = ["cwd", "segment", "field", "wpath field"];

/// Names and values, in the order in which they are printed.
type Fields = Vec<(&'static str, String)>;

pub fn run(args: &Inspect, out: &mut Output) -> io::Result<()> {
    for (number, uri) in args.uris.iter().enumerate() {
        let view = view(UriRef::new(uri));
        if args.json {
            out.text.push_str(&object(&view).to_string());
            out.end_line()?;
            continue;
        }
        if number > 0 {
            out.end_line()?;
        }
        let mut fields = components(view.uri());
        fields.extend(of_scheme(&view));
        fields.extend(view.warnings().map(|warning| ("beware", warning.to_string())));
        let width = fields.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in fields {
            out.text.push_str(&format!("{name:width$}  {}", quoted(&value)));
            out.end_line()?;
        }
    }
    Ok(())
}

/// Fields that can be there several times are lists.
fn object(view: &View<'_>) -> Value {
    let group = |fields: Fields| {
        let mut object = Map::new();
        for (name, value) in fields {
            match object.get_mut(name) {
                Some(Value::Array(values)) => values.push(json!(value)),
                _ if LISTS.contains(&name) => drop(object.insert(name.into(), json!([value]))),
                _ => drop(object.insert(name.into(), json!(value))),
            }
        }
        object
    };
    let uri = view.uri();
    let warnings = view.warnings().map(|warning| {
        let range = [warning.range.start, warning.range.end];
        json!({ "what": warning.kind.to_string(), "range": range })
    });
    json!({
        "uri": uri.as_str(),
        "scheme": uri.scheme(),
        "authority": uri.authority(),
        "path": uri.path(),
        "query": uri.query(),
        "fragment": uri.fragment(),
        "fields": group(of_scheme(view)),
        "warnings": warnings.collect::<Value>(),
    })
}

fn components(uri: UriRef<'_>) -> Fields {
    let all = [
        ("uri", Some(uri.as_str())),
        ("scheme", uri.scheme()),
        ("authority", uri.authority()),
        ("path", Some(uri.path())),
        ("query", uri.query()),
        ("fragment", uri.fragment()),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?.to_string()))).collect()
}

/// What the scheme makes of the URI, decoded where it is decoded before use.
fn of_scheme(view: &View<'_>) -> Fields {
    let mut fields = Fields::new();
    if let Some(scheme) = view.uri().scheme().and_then(info).filter(|scheme| scheme.reserved) {
        fields.push(("reserved", format!("{} {}", scheme.document, scheme.section)));
    }
    if let Some(authority) = view.authority() {
        let user = match view {
            View::Ftp(ftp) => Some(ftp.user()),
            _ => authority.user(),
        };
        self::authority(&authority, user, &mut fields);
    }
    let mut add = |name, value: Option<&str>| fields.extend(value.map(|value| (name, value.to_string())));
    match view {
        View::Http(http) => add("request", Some(&http.request_target())),
        View::Ftp(ftp) => self::ftp(ftp, &mut fields),
        View::Gopher(gopher) => self::gopher(gopher, &mut fields),
        View::Mailto(address) | View::Mid(address) | View::Cid(address) => self::address(address, &mut fields),
        View::News(news) => match news.target {
            Some(NewsTarget::All) => add("groups", Some("all")),
            Some(NewsTarget::Group(group)) => add("group", Some(group)),
            Some(NewsTarget::Article(article)) => add("article", Some(article)),
            _ => {}
        },
        View::Nntp(nntp) => {
            add("group", nntp.group);
            add("article", nntp.article);
        }
        View::Wais(wais) => self::wais(wais, &mut fields),
        View::File(file) => {
            add("host", Some(file.host.filter(|_| !file.is_local()).unwrap_or("this machine")));
            fields.extend(decoded("segment", segments(file.path)));
        }
        View::Afs(afs) => fields.extend(decoded("segment", segments(afs.path))),
        View::Prospero(prospero) => self::prospero(prospero, &mut fields),
        View::Urn(urn) => fields.extend(decoded("segment", segments(urn.path))),
        View::Generic(generic) if generic.is_experimental() => add("experimental", Some("yes")),
        _ => {}
    }
    fields
}

/// Parts of a URI, decoded; one with an illegal escape, of which a warning tells, is shown as it stands.
fn decoded<'a>(
    name: &'static str,
    parts: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (&'static str, String)> {
    parts.map(move |part| (name, decode(part).map_or_else(|_| part.to_string(), |octets| octets.to_string())))
}

/// The segments of a path behind its first slash.
fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.strip_prefix('/').or((!path.is_empty()).then_some(path)).into_iter().flat_map(|path| path.split('/'))
}

fn authority(authority: &Authority<'_>, user: Option<&str>, fields: &mut Fields) {
    fields.push(("host", authority.host.to_string()));
    match (authority.port, authority.effective_port()) {
        (Some(port), _) if !port.is_empty() => fields.push(("port", port.to_string())),
        (_, Some(port)) => fields.push(("port", format!("{port} (default)"))),
        _ => {}
    }
    fields.extend(user.map(|user| ("user", user.to_string())));
    fields.extend(authority.password().map(|password| ("password", password.to_string())));
}

fn ftp(ftp: &Ftp<'_>, fields: &mut Fields) {
    if ftp.password() == FtpPassword::Ask {
        fields.push(("password", String::from("to be asked for")));
    }
    let directories = ftp.path.and_then(|path| path.rsplit_once('/')).map(|(directories, _)| directories);
    fields.extend(decoded("cwd", directories.into_iter().flat_map(|path| path.split('/'))));
    fields.extend(decoded("name", [ftp.name()].into_iter()));
    let form = |form: Option<FormCode>| match form {
        Some(FormCode::NonPrint) => ", non-print",
        Some(FormCode::Telnet) => ", telnet format",
        Some(FormCode::CarriageControl) => ", carriage control",
        None => "",
    };
    let data_type = match ftp.data_type() {
        Some(FtpType::Ascii(code)) => format!("ASCII{}", form(code)),
        Some(FtpType::Ebcdic(code)) => format!("EBCDIC{}", form(code)),
        Some(FtpType::Image) => String::from("image"),
        Some(FtpType::Local(bits)) => format!("local, bytes of {bits} bits"),
        Some(FtpType::Directory) => String::from("directory listing"),
        None if ftp.is_listing() => String::from("directory listing"),
        None => return,
    };
    fields.push(("type", data_type));
}

fn gopher(gopher: &Gopher<'_>, fields: &mut Fields) {
    fields.push(("type", gopher.item_type().to_string()));
    fields.extend(decoded("selector", [gopher.selector].into_iter()));
    let form = match gopher.form {
        Some(GopherSearch::Query) => "search behind ?",
        _ => "search",
    };
    fields.extend(gopher.search.map(|search| (form, search.to_string())));
    fields.extend(gopher.plus.map(|plus| ("gopher+", plus.to_string())));
}

fn address(address: &Address<'_>, fields: &mut Fields) {
    fields.extend(decoded("address", [address.address].into_iter()));
    fields.push(("local part", address.local().to_string()));
    fields.extend(address.domain().map(|domain| ("domain", domain.to_string())));
}

fn wais(wais: &Wais<'_>, fields: &mut Fields) {
    let all = [("database", wais.database), ("search", wais.search), ("wtype", wais.wtype), ("wpath", wais.wpath)];
    fields.extend(all.into_iter().filter_map(|(name, value)| Some((name, value?.to_string()))));
    fields.extend(
        wais.fields().into_iter().flatten().map(|(digits, value)| ("wpath field", format!("{digits} = {value}"))),
    );
}

fn prospero(prospero: &Prospero<'_>, fields: &mut Fields) {
    fields.push(("hsoname", prospero.hsoname.to_string()));
    fields.extend(prospero.object_version().map(|version| ("version", version.to_string())));
    fields.extend(prospero.attributes.map(|attributes| ("attributes", attributes.to_string())));
    let field = |(name, value): (&str, Option<&str>)| ("field", format!("{name} = {}", value.unwrap_or_default()));
    fields.extend(prospero.fields().map(field));
}
