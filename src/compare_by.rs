//! The macro for types that are compared by a key.

/// Implements equality, order and hash of a type by its method `$key`.
macro_rules! compare_by {
    ($(#[$doc:meta])* $type:ty, $key:ident) => {
        $(#[$doc])*
        impl PartialEq for $type {
            fn eq(&self, other: &Self) -> bool {
                self.$key() == other.$key()
            }
        }

        impl Eq for $type {}

        impl PartialOrd for $type {
            fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
                Some(self.cmp(other))
            }
        }

        $(#[$doc])*
        impl Ord for $type {
            fn cmp(&self, other: &Self) -> core::cmp::Ordering {
                self.$key().cmp(&other.$key())
            }
        }

        impl core::hash::Hash for $type {
            fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
                self.$key().hash(state);
            }
        }
    };
}

pub(crate) use compare_by;
