//! All integration tests of the command, as one binary.

mod command {
    mod about;
    #[cfg(unix)]
    mod at_once;
    #[cfg(unix)]
    mod guides;
    mod inspect;
    #[cfg(target_os = "linux")]
    pub mod measure;
    #[cfg(target_os = "linux")]
    mod memory;
    mod mirror;
    mod moving;
    mod nested;
    mod normalize;
    pub mod process;
    mod resolve;
    mod rewrite;
    #[cfg(unix)]
    mod swapped;
    mod terminal;
    mod unwrap;
    mod usage;
    mod validate;
    mod xml;
}

mod markdown;
mod reports;

/// `relref check`.
mod check {
    mod containers;
    mod formats;
    mod hostile;
}

/// `relref links`.
mod links {
    mod bounds;
    mod choices;
    mod columns;
    mod containers;
    mod feeds;
    mod inputs;
    mod lines;
    #[cfg(target_os = "linux")]
    pub mod memory;
    mod messages;
    mod output;
    mod rejected;
    mod robots;
    mod run;
    mod seen;
    #[cfg(unix)]
    mod signals;
    mod style_sheets;
}

/// `relref links` on web archives.
mod archive {
    mod arc;
    mod bodies;
    mod bounds;
    mod damage;
    pub mod made;
    mod wacz;
    mod whole;
    mod zstd;
}
