//! The memory interface between the page and the engine: the page writes a base and a reference, and reads one JSON text.

mod answers;
mod differences;
mod drawing;
mod json;
#[cfg(test)]
mod tests;

use std::sync::Mutex;

/// The base and then the reference, in UTF-8.
static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static OUTPUT: Mutex<String> = Mutex::new(String::new());

// `no_mangle` counts as unsafe because two functions of one name would be undefined behavior. Nothing else here is unsafe: the page
// has the whole memory of the module as an array, so that it needs only addresses.

/// Makes room for `len` bytes of input, and returns their address.
#[allow(unsafe_code, reason = "exports the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn input(len: usize) -> *mut u8 {
    let Ok(mut input) = INPUT.lock() else { return std::ptr::null_mut() };
    input.clear();
    input.resize(len, 0);
    input.as_mut_ptr()
}

/// Reads the input, of which the first `base_len` bytes are the base, and returns the address of the answer.
#[allow(unsafe_code, reason = "exports the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer(base_len: usize) -> *const u8 {
    let (Ok(input), Ok(mut output)) = (INPUT.lock(), OUTPUT.lock()) else { return std::ptr::null() };
    let (base, reference) = input.split_at(base_len.min(input.len()));
    *output = answers::json(&String::from_utf8_lossy(base), &String::from_utf8_lossy(reference));
    output.as_ptr()
}

/// Returns the number of bytes of the answer.
#[allow(unsafe_code, reason = "exports the function by its name")]
#[unsafe(no_mangle)]
pub extern "C" fn answer_len() -> usize {
    OUTPUT.lock().map_or(0, |output| output.len())
}
