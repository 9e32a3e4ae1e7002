//! The links of a page, as an iterator.

use std::io;
use std::iter::FusedIterator;
use std::vec;

use crate::html::LinkBuf;

/// The links of a page, which [`Page::links`](super::Page::links) returns, and then the problem with which reading ended, if any.
#[derive(Debug)]
pub struct PageLinks {
    links: vec::IntoIter<LinkBuf>,
    problem: Option<io::Error>,
}

impl PageLinks {
    pub(super) fn new(links: Vec<LinkBuf>, problem: Option<io::Error>) -> Self {
        PageLinks { links: links.into_iter(), problem }
    }
}

impl Iterator for PageLinks {
    type Item = io::Result<LinkBuf>;

    fn next(&mut self) -> Option<io::Result<LinkBuf>> {
        self.links.next().map(Ok).or_else(|| self.problem.take().map(Err))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.links.len() + usize::from(self.problem.is_some());
        (len, Some(len))
    }
}

impl ExactSizeIterator for PageLinks {}

impl FusedIterator for PageLinks {}
