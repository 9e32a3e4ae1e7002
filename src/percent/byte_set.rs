//! Sets of octets: the sets of the documents as constants, and functions that make other sets.

use core::fmt;

// A mask and no table: a set is 32 bytes, is `Copy`, and is computed as a constant, in the words of the documents: "all but", "and
// also". A loop that looks up every byte of a text makes a `table` of it instead, of 256 bytes.
/// A set of octets, as a mask of 256 bits. The constants are sets of the octets to escape, not of the octets that are allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    /// The empty set.
    pub const EMPTY: ByteSet = ByteSet([0; 4]);

    /// RFC 1630: all octets except its `xalpha` (letters, digits, `safe` and `extra`, which has the asterisk `*`) and `+`.
    pub const RFC1630: ByteSet = ByteSet::all_but(b"$-_@.&+!*\"'(),");

    /// RFC 1630, for a word of the search part: the same octets, and `+`, which separates words.
    pub const RFC1630_WORD: ByteSet = ByteSet::RFC1630.add(b'+');

    /// RFC 1738 §2.2: all octets except letters, digits and `$-_.+!*'(),`. Reserved characters are in the set: do not encode with
    /// it a reserved character that has its reserved purpose.
    pub const RFC1738: ByteSet = ByteSet::all_but(b"$-_.+!*'(),");

    /// RFC 1738 §2.2, *unsafe*: controls, space, `<>"#%{}|\^~[]`, the grave accent, and octets beyond US-ASCII.
    pub const RFC1738_UNSAFE: ByteSet = ByteSet::RFC1738.without(ByteSet::new(b";/?:@=&"));

    /// RFC 3986 §2.3: all octets except the unreserved characters (letters, digits and `-._~`).
    pub const RFC3986: ByteSet = ByteSet::all_but(b"-._~");

    /// RFC 3986 §3.3: octets that a path segment cannot contain.
    pub const SEGMENT: ByteSet = ByteSet::RFC3986.without(ByteSet::new(b"!$&'()*+,;=:@"));

    /// RFC 3986 §3.3: octets that a path cannot contain.
    pub const PATH: ByteSet = ByteSet::SEGMENT.remove(b'/');

    /// RFC 3986 §3.4, §3.5: octets that a query or fragment cannot contain.
    pub const QUERY: ByteSet = ByteSet::PATH.remove(b'?');

    /// RFC 3986 §3.2.1: octets that the userinfo cannot contain.
    pub const USERINFO: ByteSet = ByteSet::SEGMENT.add(b'@');

    /// RFC 3986 §3.2.2: octets that a registered name cannot contain.
    pub const HOST: ByteSet = ByteSet::USERINFO.add(b':');

    /// URL Standard §1.3, *C0 control percent-encode set*: controls, and octets after `~`.
    pub const WHATWG_C0_CONTROL: ByteSet = ByteSet([0xFFFF_FFFF, 1 << 63, u64::MAX, u64::MAX]);

    /// URL Standard §1.3, *fragment percent-encode set*.
    pub const WHATWG_FRAGMENT: ByteSet = ByteSet::WHATWG_C0_CONTROL.union(ByteSet::new(b" \"<>`"));

    /// URL Standard §1.3, *query percent-encode set*: for schemes that are not special.
    pub const WHATWG_QUERY: ByteSet = ByteSet::WHATWG_C0_CONTROL.union(ByteSet::new(b" \"#<>"));

    /// URL Standard §1.3, *special-query percent-encode set*: for `http`, `https`, `ws`, `wss`, `ftp` and `file`.
    pub const WHATWG_SPECIAL_QUERY: ByteSet = ByteSet::WHATWG_QUERY.add(b'\'');

    /// URL Standard §1.3, *path percent-encode set*.
    pub const WHATWG_PATH: ByteSet = ByteSet::WHATWG_QUERY.union(ByteSet::new(b"?^`{}"));

    /// URL Standard §1.3, *userinfo percent-encode set*.
    pub const WHATWG_USERINFO: ByteSet = ByteSet::WHATWG_PATH.union(ByteSet::new(b"/:;=@[\\]|"));

    /// US-ASCII letters and digits are not in the set either.
    pub(crate) const fn all_but(kept: &[u8]) -> ByteSet {
        let mut set = ByteSet([u64::MAX; 4]);
        let mut byte = 0;
        while byte < 128 {
            if (byte as u8).is_ascii_alphanumeric() {
                set = set.remove(byte as u8);
            }
            byte += 1;
        }
        set.without(ByteSet::new(kept))
    }

    /// Makes a set of these octets.
    #[must_use]
    pub const fn new(bytes: &[u8]) -> ByteSet {
        let mut set = ByteSet::EMPTY;
        let mut at = 0;
        while at < bytes.len() {
            set = set.add(bytes[at]);
            at += 1;
        }
        set
    }

    /// Returns the set with an octet added.
    #[must_use]
    pub const fn add(mut self, byte: u8) -> ByteSet {
        self.0[byte as usize / 64] |= 1 << (byte % 64);
        self
    }

    /// Returns the set with an octet removed.
    #[must_use]
    pub const fn remove(mut self, byte: u8) -> ByteSet {
        self.0[byte as usize / 64] &= !(1 << (byte % 64));
        self
    }

    /// Returns the octets that are in this set, the other one, or both.
    #[must_use]
    pub const fn union(self, other: ByteSet) -> ByteSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        ByteSet([a | e, b | f, c | g, d | h])
    }

    /// Returns the octets of this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: ByteSet) -> ByteSet {
        let ([a, b, c, d], [e, f, g, h]) = (self.0, other.0);
        ByteSet([a & !e, b & !f, c & !g, d & !h])
    }

    pub(crate) const fn complement(self) -> ByteSet {
        let [a, b, c, d] = self.0;
        ByteSet([!a, !b, !c, !d])
    }

    // One load, where `contains` computes a word and a shift. It pays only in a `static`, which is made by the compiler.
    pub(crate) const fn table(self) -> [bool; 256] {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            table[byte] = self.contains(byte as u8);
            byte += 1;
        }
        table
    }

    /// Reports whether an octet is in the set.
    #[must_use]
    pub const fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize / 64] >> (byte % 64) & 1 != 0
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries((0..=255).filter(|&byte| self.contains(byte)).map(|byte| byte as char)).finish()
    }
}
