//! The rows of an archive's links as named tuples, one by one.

use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString};

use crate::named_tuples::ARCHIVE_LINK;
use crate::signals::Interrupt;

/// The iterator of the rows.
#[pyclass(frozen, module = "relref._relref", name = "_Rows")]
pub struct Rows {
    state: Mutex<State>,
    interrupt: Arc<Interrupt>,
}

struct State {
    batches: Box<dyn RecordBatchReader + Send>,
    batch: Option<RecordBatch>,
    /// The number of the next row in the batch.
    row: usize,
}

impl Rows {
    pub fn new(batches: Box<dyn RecordBatchReader + Send>, interrupt: Arc<Interrupt>) -> Self {
        Rows { state: Mutex::new(State { batches, batch: None, row: 0 }), interrupt }
    }

    fn next_row(&self) -> Result<Option<(RecordBatch, usize)>, ArrowError> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(batch) = state.batch.as_ref().filter(|batch| state.row < batch.num_rows()) {
                let batch = batch.clone();
                state.row += 1;
                return Ok(Some((batch, state.row - 1)));
            }
            let Some(next) = state.batches.next().transpose()? else { return Ok(None) };
            (state.batch, state.row) = (Some(next), 0);
        }
    }
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let next = py.detach(|| self.next_row());
        let Some((batch, row)) = next.map_err(|error| match self.interrupt.get() {
            Some(interrupt) => interrupt.clone_ref(py),
            None => PyOSError::new_err(error.to_string()),
        })?
        else {
            return Ok(None);
        };
        let fields = PyDict::new(py);
        for (field, column) in batch.schema_ref().fields().iter().zip(batch.columns()) {
            if column.is_null(row) {
                continue;
            }
            let value = match field.data_type() {
                DataType::Int64 => PyInt::new(py, column.as_primitive::<Int64Type>().value(row)).into_any(),
                DataType::Boolean => PyBool::new(py, column.as_boolean().value(row)).to_owned().into_any(),
                _ => PyString::new(py, column.as_string::<i32>().value(row)).into_any(),
            };
            fields.set_item(field.name(), value)?;
        }
        ARCHIVE_LINK.class(py)?.call((), Some(&fields)).map(Some)
    }
}
