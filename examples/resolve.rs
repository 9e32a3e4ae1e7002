//! Prints RFC 1630's own example table, by its rule and by its draft's rule, and why they differ.
//!
//! `cargo run --example resolve`

use relref::{Base, Error, Rules};

fn main() -> Result<(), Error> {
    let context = "magic://a/b/c//d/e/f";
    let by_rfc = Base::new(context, Rules::RFC1630)?;
    let by_draft = Base::new(context, Rules::DRAFT_WWW_URI_00)?;

    println!("In the context of {context}\n");
    println!("{:<10} {:<25} the draft's rule, and RFC 1630's table", "partial", "RFC 1630's rule");
    for reference in ["g", "/g", "//g", "../g", "g:h"] {
        let (rule, table) = (by_rfc.resolve(reference).into_string(), by_draft.resolve(reference).into_string());
        let note = if rule == table { "" } else { "   <- differs" };
        println!("{reference:<10} {rule:<25} {table}{note}");
    }

    println!("\nThe rule of RFC 1630 has a clause that the draft does not have, and chooses another slash run:\n");
    for base in [&by_rfc, &by_draft] {
        println!("{}:", base.rules());
        for step in base.explain("/g").steps {
            println!("  {step}");
        }
    }
    Ok(())
}
