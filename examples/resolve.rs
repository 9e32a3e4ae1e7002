//! RFC 1630's own table, by its sentence and by its draft's, and why they differ.
//!
//! `cargo run --example resolve`

use relref::{Base, Error, Rules};

fn main() -> Result<(), Error> {
    let context = "magic://a/b/c//d/e/f";
    let sentence = Base::new(context, Rules::RFC1630)?;
    let table = Base::new(context, Rules::DRAFT_WWW_URI_00)?;

    println!("In the context of {context}\n");
    println!("{:<10} {:<25} the printed table, which is the draft's", "partial", "RFC 1630's sentence");
    for reference in ["g", "/g", "//g", "../g", "g:h"] {
        let (by_sentence, by_table) = (sentence.resolve(reference).to_string(), table.resolve(reference).to_string());
        let mark = if by_sentence == by_table { "" } else { "   <- differs" };
        println!("{reference:<10} {by_sentence:<25} {by_table}{mark}");
    }

    println!("\nThe sentence chooses the run of slashes by a clause that the draft did not have yet:\n");
    for base in [&sentence, &table] {
        println!("{}:", base.rules());
        for step in base.explain("/g").steps {
            println!("  {step}");
        }
    }
    Ok(())
}
