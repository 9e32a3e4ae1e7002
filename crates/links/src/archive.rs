//! Web archives: the records and captures in WARC and ARC files (feature `archive`).
//!
//! [`Records`] reads an archive record by record, or [capture by capture](Records::next_capture): each [`Capture`] has its URI,
//! status, type, charset, HTTP [`Fields`] and decoded [`Body`]. It reads any [`Read`](std::io::Read), such as a pipe, and finds
//! more in damaged archives if the input can seek. `examples/archive.rs` lists the captures of an archive. For the links of its
//! pages, use `relref_links::page`.
//!
//! ```no_run
//! use relref_links::archive::Records;
//!
//! let mut records = Records::open("crawl.warc.gz")?;
//! while let Some(capture) = records.next_capture() {
//!     match capture {
//!         Ok(mut capture) => {
//!             let length = std::io::copy(&mut capture.body()?, &mut std::io::sink());
//!             println!("{} {:?} {length:?}", capture.record.target_uri, capture.charset);
//!         }
//!         Err(damage) => eprintln!("{damage}"),
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! # Formats
//! - WARC 0.18 to 1.1 (ISO 28500:2017), uncompressed or gzipped, with one record (WARC 1.1 annex D) or any number in a gzip member.
//! - With feature `zstd`, `.warc.zst`: Zstandard frames, with a dictionary in a first skippable frame or without. Other skippable
//!   frames are skipped. A frame whose window is larger than 8 MiB is damaged, and so is one whose dictionary is missing.
//! - ARC 1 and 2 (ARC File Format of 1996), uncompressed or compressed in the same ways, also with spaces in URIs and with fields
//!   missing. Its [`Record`]s have the names of WARC. An archive has one format, that of its first record.
//! - `response`, `resource` and `revisit` records, and `metadata` records of JSON or fields; other records are
//!   [counted](Records::skipped).
//! - With feature `wacz`, `Wacz`: the archives in WACZ files; `each_archive`: those of a file of any of these formats.
//! - With feature `wat`, `wat_links`: the links in the `metadata` records of WAT files. `wat_nofollow` tells
//!   whether the page asks robots to follow no link.
//! - [`each_outlink`]: the links in the `metadata` records of the crawler Heritrix.
//! - Heads of HTTP responses (RFC 9112 §4, §5), also with the errors of servers and archivers: other versions, bare line feeds and
//!   carriage returns, NULs, invalid fields.
//! - Bodies that are `chunked` (RFC 9112 §7.1), `gzip` or `deflate` (RFC 9110 §8.4.1, RFC 1950 to 1952), `br` (RFC 7932) and,
//!   with feature `zstd`, `zstd` (RFC 8878).
//!
//! # Damage
//! Nothing panics and nothing is lost silently. Each [`Damage`] has its offset and its [`Reason`]; reading goes on with the next
//! record. A record is known to be whole only at its end, so the damage comes after the page: a caller that must not use half a
//! page keeps its results until [`Records::finish`], and looks at [`Damage::content`].
//!
//! Memory is bounded whatever an archive holds, and time is linear in its length if the caller bounds the bytes that it reads
//! from each body.

mod arc;
mod body;
mod capture;
mod chunked;
mod codec;
mod codec_reader;
mod compression;
mod damage;
#[cfg(feature = "zstd")]
mod dictionary;
mod fields;
mod frame_header;
mod members;
pub(crate) mod mime;
mod outlinks;
mod record;
mod records;
mod response;
mod rewind;
pub mod sniff;
mod undamaged_part;
#[cfg(feature = "wacz")]
mod wacz;
#[cfg(feature = "wat")]
mod wat;
#[cfg(feature = "wacz")]
pub(crate) mod zip;
#[cfg_attr(not(feature = "zstd"), path = "archive/no_zstd.rs")]
mod zstd;

pub use body::Body;
pub use capture::Capture;
pub use damage::{ContentRead, Damage, Reason};
pub use fields::Fields;
pub use outlinks::each_outlink;
pub use record::{Record, SkippedRecords};
pub use records::{IntoRecords, ReadSeek, Records};
pub use undamaged_part::UndamagedPart;
#[cfg(feature = "wacz")]
pub use wacz::{Wacz, WaczArchive, each_archive, is_wacz};
#[cfg(feature = "wat")]
pub use wat::{wat_links, wat_nofollow};
#[cfg(all(feature = "page", feature = "wacz"))]
pub(crate) use zip::EntryReader;
#[cfg(feature = "page")]
pub(crate) use {
    capture::{is_html_type, is_unknown_type},
    codec_reader::Series,
    damage::invalid,
    outlinks::has_outlinks,
    response::{HttpHead, mime_fields},
    rewind::Rewind,
    wat::{wat_has_page, wat_has_response},
};
