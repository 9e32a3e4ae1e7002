//! Macros for types whose values have names: tables of these, and values that parse and print by them.

/// Implements `Display` and `FromStr` for a `Copy` type by the names of its values: it must have the array `ALL` and a `const fn
/// name`. `$noun` is a noun for one value with its article, such as "a rule set", for error messages.
#[doc(hidden)]
#[macro_export]
macro_rules! parse_and_print_by_name {
    ($type:ty, $noun:literal) => {
        impl $type {
            const NAMES: &$crate::private::ValueNames = &$crate::private::ValueNames {
                noun: $noun,
                all: &{
                    let mut names = [""; <$type>::ALL.len()];
                    let mut index = 0;
                    while index < names.len() {
                        names[index] = <$type>::ALL[index].name();
                        index += 1;
                    }
                    names
                },
                ending: None,
            };
        }

        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        /// Parses a name. The error lists the names, and suggests one if it is near enough.
        impl core::str::FromStr for $type {
            type Err = $crate::Error;

            fn from_str(name: &str) -> Result<Self, $crate::Error> {
                let index = Self::NAMES.find(name).map_err($crate::Error::unknown_name)?;
                Ok(<$type>::ALL[index])
            }
        }
    };
}

pub(crate) use parse_and_print_by_name;

/// Defines an enum by one table: after the documentation and the fields of each variant come its name and a text, which `row` returns.
macro_rules! enum_of_rows {
    (
        $(#[$meta:meta])*
        pub enum $type:ident {
            $($(#[$doc:meta])* $variant:ident $(($field:ty))? $({ $($named:tt)* })? $name:literal $text:literal)*
        }
    ) => {
        $(#[$meta])*
        pub enum $type {
            $($(#[$doc])* $variant $(($field))? $({ $($named)* })?,)*
        }

        impl $type {
            const fn row(&self) -> (&'static str, &'static str) {
                match self {
                    $($type::$variant { .. } => ($name, $text),)*
                }
            }
        }
    };
}

pub(crate) use enum_of_rows;
