//! Resolves the links of an archived page, whose URI contains another URI, by each rule set.
//!
//! `cargo run --example nested`

use relref::{Base, Error, Rules};

fn main() -> Result<(), Error> {
    let page = "https://web.archive.org/web/2020/http://example.com/a/b";
    println!("In the context of {page}\n");
    for reference in ["/g", "../../../g"] {
        println!("{reference}");
        for &rules in Rules::ALL {
            let base = Base::new(page, rules)?;
            println!("  {rules:<17} {}", base.resolve(reference));
        }
    }
    println!(
        "\nBy rfc1630, `/g` stays in the archived site. By rfc1630 and its draft, `..` does not remove the archived host."
    );
    Ok(())
}
