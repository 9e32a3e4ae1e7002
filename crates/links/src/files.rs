//! The files of a site: a walk through its folders, and the replacement of a file (feature `check`).

#[cfg(unix)]
mod attributes;
mod git_ignore;
mod held_folder;
mod new_file;
mod patterns;
mod walk;

pub use self::held_folder::{FolderLock, HeldFolder};
pub use self::new_file::{NewFile, Unfinished, is_new_file, remove_new_files};
pub use self::patterns::Patterns;
pub use self::walk::{EntryKind, Unreadable, Walk, WalkEntry};
