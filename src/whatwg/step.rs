//! The steps that lead from an input and a base to a URL, and the words of the URL Standard for each.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use core::fmt;
use core::ops::Range;

use super::encode_set::EncodeSet;
use super::state::State;
use crate::by_name::enum_of_rows;
use crate::source::Source;

/// One step from an input to its URL: a change of the input, or a use of the base.
///
/// Together, the steps are the whole difference: the URL is the input with `written` in the place of the bytes at `range`, step by
/// step. A step about what the step before it wrote replaces that. What is [kept of the base](Action::is_kept) comes first in the
/// URL, [`Action::SegmentRemoved`] also removes the segment before its dots, and [`Action::Guard`] is written after the scheme.
///
/// [`Display`](fmt::Display) prints one line, with the state and the [`source`](Step::source). There, a text of more than a thousand
/// bytes is cut short.
///
/// ```
/// use relref::whatwg::inspect;
///
/// let steps = inspect("HTTP://h/a b", None).steps;
/// assert_eq!((steps[0].action.name(), &*steps[0].text, &*steps[0].written), ("scheme-lowercased", "HTTP", "http"));
/// assert_eq!((steps[1].range.clone(), &*steps[1].written), (10..11, "%20"));
/// assert_eq!(
///     steps[1].to_string(),
///     "percent-encode ` ` at bytes 10..11 as `%20`: path percent-encode set (path state; URL Standard §4.4: \
///      \"UTF-8 percent-encode c using the path percent-encode set\")"
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Step {
    /// The action.
    pub action: Action,
    /// The state of the parser; `None` before its first state and after its last.
    pub state: Option<State>,
    /// The bytes of the input that the step is about. Empty if it only adds something there.
    pub range: Range<usize>,
    /// The text that the action is about, without removed tabs and line breaks: that of the input, or what an earlier step made of
    /// it. With [`Action::SegmentRemoved`], it starts with the segment.
    pub text: String,
    /// The text that the action puts in its place; empty if it only removes.
    pub written: String,
}

// The text is a pattern for a sentence, in which the fields of the step are put.
enum_of_rows! {
    /// The action of a [`Step`].
    #[derive(Clone, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Action {
        /// C0 controls and spaces at an end of the input were removed.
        Trimmed "trimmed" "remove `{text}` at {range}: controls and spaces at the ends do not count"
        /// All tabs and line breaks inside the input were removed. The range is that from the first to the last of them.
        TabsRemoved {
            /// The number of bytes that were removed.
            count: usize,
        } "tabs-removed" "remove all tabs and line breaks: {detail}"
        /// The scheme was written in lower case.
        SchemeLowercased "scheme-lowercased" "write the scheme `{text}` as `{written}`"
        /// The input has the scheme of the base and no `//` after it: it is read as relative.
        SchemeIgnored "scheme-ignored" "ignore `{text}`: the base has this scheme, and `//` does not follow"
        /// The input has a scheme: nothing of the base is used.
        Absolute "absolute" "use nothing of the base: the reference has the scheme `{text}`"
        /// The reference is empty: the base is kept without its fragment.
        Empty "empty" "keep `{written}` of the base: the reference is empty"
        /// The reference is a fragment: the base is kept up to its own fragment.
        Fragment "fragment" "keep `{written}` of the base: the reference is a fragment"
        /// The reference starts with `?`: the base is kept up to the end of its path.
        Query "query" "keep `{written}` of the base: the reference starts with `?`"
        /// The reference is a relative path: the base is kept up to the last slash of its path.
        Directory "directory" "keep `{written}` of the base: the text after the last slash of its path is removed"
        /// The reference starts with one slash: scheme and authority of the base are kept.
        Root "root" "keep `{written}` of the base: the reference starts with one slash"
        /// The reference starts with two slashes: the scheme of the base is kept.
        Authority "authority" "keep `{written}` of the base: the reference starts with two slashes"
        /// The reference starts with a drive letter: scheme and host of the base are kept.
        Drive "drive" "keep `{written}` of the base: the reference starts with a drive letter"
        /// The drive letter of the base is kept before a rooted path.
        BaseDriveLetter "base-drive-letter" "keep the drive letter `{written}` of the base"
        /// `//` was written, which is missing after the scheme.
        SlashesAdded "slashes-added" "write `//`, which is missing at byte {start}"
        /// Slashes and backslashes after `//` were ignored.
        SlashesIgnored "slashes-ignored" "ignore `{text}` at {range}: `//` is before it"
        /// `/` was written before a path that does not start with one, or is missing.
        SlashAdded "slash-added" "write `/`, with which the path does not start"
        /// Backslashes were read as slashes.
        Backslash "backslash" "read `{text}` at {range} as `{written}`"
        /// An empty user name and password were dropped, with the `@`.
        CredentialsDropped "credentials-dropped" "drop `{text}`: user name and password are empty"
        /// The `:` before an empty password was dropped.
        PasswordDropped "password-dropped" "drop `{text}`: the password is empty"
        /// The escapes of the host were decoded.
        HostDecoded "host-decoded" "decode the host `{text}`: `{written}`"
        /// A host in US-ASCII was written in lower case.
        HostLowercased "host-lowercased" "write the host `{text}` as `{written}`"
        /// A host beyond US-ASCII was written as A-labels.
        HostToAscii "host-to-ascii" "write the host `{text}` in US-ASCII as `{written}`"
        /// The host is a number, and was written as an IPv4 address.
        Ipv4 "ipv4" "read the host `{text}` as the IPv4 address `{written}`"
        /// An IPv6 address was written in its shortest form.
        Ipv6 "ipv6" "write the IPv6 address `{text}` as `{written}`"
        /// The host `localhost` of a `file` URL was dropped.
        LocalhostDropped "localhost-dropped" "drop the host `{text}` of a `file` URL"
        /// A `:` without a port was dropped.
        PortMissing "port-missing" "drop `{text}`: no port follows"
        /// The default port of the scheme was dropped.
        PortDropped "port-dropped" "drop `{text}`: it is the default port of the scheme"
        /// The port was written without leading zeros.
        PortRewritten "port-rewritten" "write the port `{text}` as `{written}`"
        /// The text in the place of the host of a `file` URL was read as a drive letter.
        DriveLetterHost "drive-letter-host" "read `{text}` as a drive letter, not as a host: write `/`"
        /// A drive letter was written with `:` instead of `|`.
        DriveLetter "drive-letter" "write the drive letter `{text}` as `{written}`"
        /// A `.` or `%2e` was removed, with the slash after it.
        DotRemoved "dot-removed" "remove `{text}`"
        /// A segment was removed by the `..` after it, with the slash after that.
        SegmentRemoved "segment-removed" "remove `{text}`"
        /// A `..` had nothing to remove and was dropped.
        SurplusDropped "surplus-dropped" "drop surplus `{text}`: no segment before it can be removed"
        /// A `..` was dropped, since only a drive letter is before it.
        DriveLetterKept "drive-letter-kept" "drop surplus `{text}`: the drive letter before it is not removed"
        /// Characters were percent-encoded, because this set has them.
        Encoded(EncodeSet) "encoded" "percent-encode `{text}` at {range} as `{written}`: {detail}"
        /// A space at the end of an opaque path was percent-encoded.
        SpaceEncoded "space-encoded" "percent-encode `{text}` at {range} as `{written}`: it ends an opaque path"
        /// The query was written in this character encoding, and percent-encoded.
        QueryEncoded(&'static str) "query-encoded" "write the query `{text}` in {detail} as `{written}`"
        /// The path would start with `//` and be read as an authority: `/.` was written before it.
        Guard "guard" "write `/.` before the path, which would be read as an authority"
    }
}

impl Action {
    /// Returns a name for machines, in kebab case.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.row().0
    }

    /// Reports whether the step keeps a part of the base, with which the URL then starts.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        use Action::*;
        matches!(self, Empty | Fragment | Query | Directory | Root | Authority | Drive)
    }

    /// Reports whether an action on adjacent bytes is told as one step.
    pub(super) fn joins(&self) -> bool {
        matches!(self, Action::Backslash | Action::DotRemoved | Action::SurplusDropped)
    }

    fn detail(&self) -> Cow<'static, str> {
        match self {
            Action::TabsRemoved { count } => Cow::Owned(format!("{count} byte{}", if *count == 1 { "" } else { "s" })),
            Action::Encoded(set) => Cow::Borrowed(set.name()),
            Action::QueryEncoded(charset) => Cow::Borrowed(charset),
            _ => Cow::Borrowed(""),
        }
    }
}

impl Step {
    /// Returns the section of the URL Standard and its words for the action.
    #[must_use]
    pub fn source(&self) -> Source {
        let (section, words) = match (&self.action, self.state) {
            (Action::Trimmed, _) => ("§4.4", "Remove any leading and trailing C0 control or space from input"),
            (Action::TabsRemoved { .. }, _) => ("§4.4", "Remove all ASCII tab or newline from input"),
            (Action::SchemeLowercased, _) => ("§4.4", "append c, lowercased, to buffer"),
            (Action::SchemeIgnored, Some(State::File | State::FileSlash)) => {
                ("§4.4", "base is non-null and base's scheme is \"file\"")
            }
            (Action::SchemeIgnored, _) => ("§4.4", "set state to relative state and decrease pointer by 1"),
            (Action::Absolute, _) => ("§4.4", "Set url's scheme to buffer"),
            (Action::Fragment, Some(State::NoScheme)) => {
                ("§4.4", "url's path to base's path, url's query to base's query")
            }
            (Action::Empty | Action::Fragment, _) => {
                ("§4.4", "url's path to a clone of base's path, and url's query to base's query")
            }
            (Action::Query, _) => {
                ("§4.4", "url's path to a clone of base's path … set url's query to the empty string")
            }
            (Action::Directory, Some(State::File)) => {
                ("§4.4", "url's path to a clone of base's path … then shorten url's path")
            }
            (Action::Directory, _) => ("§4.4", "url's path to a clone of base's path … Shorten url's path"),
            (Action::Root, _) => ("§4.4", "url's host to base's host"),
            (Action::Authority, Some(State::FileSlash)) => ("§4.4", "Set url's scheme to \"file\""),
            (Action::Authority, _) => ("§4.4", "Set url's scheme to base's scheme"),
            (Action::Drive, _) => ("§4.4", "Set url's path to « »"),
            (Action::BaseDriveLetter, _) => ("§4.4", "append base's path[0] to url's path"),
            (Action::SlashesAdded, _) => ("§4.5", "Append \"//\" to output"),
            (Action::SlashesIgnored, _) => {
                ("§4.4", "If c is neither U+002F (/) nor U+005C (\\), then set state to authority state")
            }
            (Action::SlashAdded, _) => ("§4.5", "append U+002F (/) followed by segment to output"),
            (Action::Backslash, _) => ("§4.4", "c is U+005C (\\), invalid-reverse-solidus validation error"),
            (Action::CredentialsDropped, _) => ("§4.5", "If url includes credentials"),
            (Action::PasswordDropped, _) => ("§4.5", "If url's password is not the empty string"),
            (Action::HostDecoded, _) => ("§3.5", "percent-decoding of input"),
            (Action::HostLowercased | Action::HostToAscii, _) => ("§3.3", "Unicode ToASCII"),
            (Action::Ipv4, _) => ("§3.5", "return the result of IPv4 parsing asciiDomain"),
            (Action::Ipv6, _) => ("§3.6", "the result of running the IPv6 serializer on host"),
            (Action::LocalhostDropped, _) => ("§4.4", "If host is \"localhost\", then set host to the empty string"),
            (Action::PortMissing, _) => ("§4.4", "If buffer is not the empty string"),
            (Action::PortDropped, _) => ("§4.4", "Set url's port to null, if port is url's scheme's default port"),
            (Action::PortRewritten, _) => ("§4.4", "the mathematical integer value that is represented by buffer"),
            (Action::DriveLetterHost, _) => ("§4.4", "buffer is a Windows drive letter"),
            (Action::DriveLetter, _) => ("§4.4", "replace the second code point in buffer with U+003A (:)"),
            (Action::DotRemoved, _) => ("§4.4", "buffer is a single-dot URL path segment"),
            (Action::SegmentRemoved | Action::SurplusDropped, _) => ("§4.2", "Remove path's last item, if any"),
            (Action::DriveLetterKept, _) => ("§4.2", "path[0] is a normalized Windows drive letter, then return"),
            (Action::Encoded(EncodeSet::C0Control), Some(State::OpaquePath)) => {
                ("§4.4", "UTF-8 percent-encode c using the C0 control percent-encode set")
            }
            (Action::Encoded(EncodeSet::C0Control), _) => {
                ("§3.5", "UTF-8 percent-encode on input using the C0 control percent-encode set")
            }
            (Action::Encoded(EncodeSet::Userinfo), _) => {
                ("§4.4", "UTF-8 percent-encode codePoint using the userinfo percent-encode set")
            }
            (Action::Encoded(EncodeSet::Path), _) => {
                ("§4.4", "UTF-8 percent-encode c using the path percent-encode set")
            }
            (Action::Encoded(EncodeSet::Fragment), _) => {
                ("§4.4", "UTF-8 percent-encode c using the fragment percent-encode set")
            }
            (Action::Encoded(EncodeSet::Query | EncodeSet::SpecialQuery) | Action::QueryEncoded(_), _) => {
                ("§4.4", "Percent-encode after encoding, with encoding, buffer, and queryPercentEncodeSet")
            }
            (Action::SpaceEncoded, _) => ("§4.4", "append \"%20\" to url's path"),
            (Action::Guard, _) => ("§4.5", "append U+002F (/) followed by U+002E (.) to output"),
        };
        Source::document("URL Standard", section, words)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.action.row().1;
        while let Some((before, after)) = rest.split_once('{') {
            f.write_str(before)?;
            let (field, after) = after.split_once('}').unwrap_or((after, ""));
            match field {
                "text" => write_short(&self.text, f)?,
                "written" => write_short(&self.written, f)?,
                "range" => write!(f, "bytes {}..{}", self.range.start, self.range.end)?,
                "start" => write!(f, "{}", self.range.start)?,
                _ => f.write_str(&self.action.detail())?,
            }
            rest = after;
        }
        write!(f, "{rest} (")?;
        if let Some(state) = self.state {
            write!(f, "{}; ", state.name())?;
        }
        write!(f, "{})", self.source())
    }
}

/// Writes a text; of more than a thousand bytes, only the whole characters of the first 500, and the number of the other bytes.
fn write_short(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if text.len() <= 1000 {
        return f.write_str(text);
    }
    let end = (0..=500).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    write!(f, "{}… and {} more bytes", &text[..end], text.len() - end)
}
