//! An archived page: what each rule set makes of `/g` where one URI stands inside another.
//!
//! `cargo run --example nested`

use relref::{Base, Error, Rules};

fn main() -> Result<(), Error> {
    let page = "https://web.archive.org/web/2020/http://example.com/a/b";
    println!("In the context of {page}\n");
    for reference in ["/g", "../../../g"] {
        println!("{reference}");
        for rules in Rules::ALL {
            let base = Base::new(page, rules)?;
            println!("  {rules:<17} {}", base.resolve(reference));
        }
    }
    println!(
        "\nBy rfc1630 a rooted link stays in the archive; by level, in it and its draft, no `..` erases the archived host."
    );
    Ok(())
}
