"""resolve_column and normalize_column on the columns of every library, and what is wrong with some of them."""

import doctest
import io
import pickle
import struct
from concurrent.futures import ThreadPoolExecutor

import pytest
import relref
from relref import Base, Normalizer, normalize_column, resolve_column

pa = pytest.importorskip("pyarrow")

BASE = "http://example.com/a/"
# Older versions of pyarrow make no views of strings.
HAS_VIEWS = int(pa.__version__.split(".")[0]) >= 18
STRINGS = [pa.string(), pa.large_string(), *([pa.string_view()] if HAS_VIEWS else [])]
REFERENCES = ["b", None, "é", "", "http://x:y/", "//h"]
EXPECTED = [BASE + "b", None, BASE + "%C3%A9", BASE, None, "http://h/"]


def sliced(array):
    """The same rows, after rows that are not part of the column, and in chunks."""
    whole = pa.concat_arrays([pa.array(["x"] * 3, array.type), array])
    return pa.chunked_array([whole.slice(3, 2), whole.slice(0, 0), whole.slice(5)])


@pytest.mark.parametrize("data_type", STRINGS)
@pytest.mark.parametrize("base", [BASE, Base(BASE)])
def test_types_of_strings(data_type, base):
    array = pa.array(REFERENCES, pa.string()).cast(data_type)
    for references in (array, pa.chunked_array([array]), pa.table({"x": array}), pa.chunked_array([], data_type)):
        column = resolve_column(base, references)
        assert column.to_pylist() == EXPECTED[: len(references)]
        assert len(column) == len(references)
    if data_type in STRINGS[:2]:
        assert resolve_column(base, sliced(array)).to_pylist() == EXPECTED


def test_categories_and_nulls():
    assert resolve_column(BASE, pa.array(["b", None, "b"]).dictionary_encode()).to_pylist() == [BASE + "b", None, BASE + "b"]
    assert resolve_column(BASE, pa.nulls(2)).to_pylist() == [None, None]
    assert resolve_column(BASE, pa.array([], pa.string())).to_pylist() == []


def test_problems_have_rows():
    column = resolve_column(BASE, pa.array(REFERENCES))
    assert (column.null_count, [problem.row for problem in column.problems]) == (2, [4])
    assert column.problems[0].message.startswith("reference: port-invalid at byte 9")
    assert resolve_column(BASE, pa.array(REFERENCES), "rfc3986").problems == []


def test_bases_in_a_column():
    bases = pa.array(["http://a/x/", "http://a/x/", None, "nonsense", "nonsense", "http://c/", "http://c/"])
    references = pa.array(["1", "2", "3", "4", "5", None, "http://x:y"])
    column = resolve_column(bases, references)
    assert column.to_pylist() == ["http://a/x/1", "http://a/x/2"] + [None] * 5
    assert [(problem.row, problem.message.split(":")[0]) for problem in column.problems] == [
        (3, "base"),
        (4, "base"),
        (6, "reference"),
    ]
    expected = column.to_pylist()
    for other in (sliced(bases), bases.dictionary_encode(), bases.cast(pa.large_string())):
        assert resolve_column(other, references).to_pylist() == expected
        assert resolve_column(other, sliced(references)).to_pylist() == expected


def test_bytes_that_are_not_utf8_are_problems():
    def broken(*texts):
        offsets, data = [0], b"".join(texts)
        for text in texts:
            offsets.append(offsets[-1] + len(text))
        buffers = [None, pa.array(offsets, pa.int32()).buffers()[1], pa.py_buffer(data)]
        return pa.Array.from_buffers(pa.string(), len(texts), buffers)

    column = resolve_column(BASE, broken(b"a", b"\xff", "é".encode()[:1]))
    assert column.to_pylist() == [BASE + "a", None, None]
    assert "invalid utf-8" in column.problems[0].message
    assert resolve_column(broken(b"http://h/", b"\xff"), pa.array(["a", "b"])).to_pylist() == ["http://h/a", None]
    assert normalize_column(broken(b"http://h", b"\xff")).to_pylist() == ["http://h/", None]


def test_rows_out_of_their_data_are_refused():
    def strings(data_type, offset_type):
        offsets = pa.array([0, 5, 3], offset_type).buffers()[1]
        return pa.Array.from_buffers(data_type, 2, [None, offsets, pa.py_buffer(b"abcde")])

    def categories(keys, key_type):
        return pa.DictionaryArray.from_arrays(pa.array(keys, key_type), pa.array(["a"]), safe=False)

    short = strings(pa.string(), pa.int32())
    view = pa.py_buffer(struct.pack("<i4sii", 20, b"aaaa", 1, 0))
    for column in (
        short,
        strings(pa.large_string(), pa.int64()),
        *([pa.Array.from_buffers(pa.string_view(), 1, [None, view, pa.py_buffer(b"a" * 20)])] if HAS_VIEWS else []),
        pa.DictionaryArray.from_arrays(pa.array([0, 1]), short),
        categories([0, 1], pa.int8()),
        categories([None, -1], pa.int32()),
        categories([2**63 + 1], pa.uint64()),
        pa.array([{"a": "b"}, None]),
    ):
        with pytest.raises(ValueError, match="^uris: "):
            normalize_column(column)
        with pytest.raises(ValueError, match="^base: "):
            resolve_column(column, column)


@pytest.mark.parametrize(
    "column", [["a"], "a", None, 5, pa.array([1]), pa.array([b"a"]), pa.table({"a": ["x"], "b": ["y"]}), pa.array([["a"]])]
)
def test_other_columns_are_refused(column):
    with pytest.raises(TypeError, match="expected an Arrow column of strings"):
        resolve_column(BASE, column)
    with pytest.raises(TypeError, match="expected an Arrow column of strings"):
        normalize_column(column)
    if not isinstance(column, str):
        with pytest.raises(TypeError, match="expected an Arrow column of strings"):
            resolve_column(column, pa.array(["a"]))


def test_for_lists_there_are_other_functions():
    for call in (normalize_column, lambda column: resolve_column(BASE, column)):
        with pytest.raises(TypeError, match="not list: Normalizer.normalize_many and Base.resolve_many take lists$"):
            call(["a"])


def test_wrong_arguments_are_refused():
    with pytest.raises(ValueError, match="base has 2 rows, but references has 3"):
        resolve_column(pa.array(["http://h/"] * 2), pa.array(["a"] * 3))
    with pytest.raises(relref.Error, match="missing-scheme"):
        resolve_column("nonsense", pa.array(["a"]))
    with pytest.raises(TypeError, match="rules of its own"):
        resolve_column(Base(BASE), pa.array(["a"]), "rfc3986")
    with pytest.raises(ValueError, match="expected none, safe or crawl"):
        normalize_column(pa.array(["a"]), "crowl")
    with pytest.raises(ValueError, match="expected surt, cdx, host or domain"):
        normalize_column(pa.array(["a"]), key="sort")
    with pytest.raises(TypeError, match="expected a Normalizer"):
        normalize_column(pa.array(["a"]), 5)


def test_normal_forms_and_keys():
    uris = pa.array(["HTTP://www.H.com:80/a?utm_source=x#b", None, "http://h/%zz"])
    assert normalize_column(uris, "safe").to_pylist()[:2] == ["http://www.h.com/a?utm_source=x#b", None]
    assert normalize_column(uris).to_pylist()[:2] == ["http://www.h.com/a", None]
    assert normalize_column(uris, Normalizer(with_=["drop-www"]), key="surt").to_pylist()[0] == "com,h)/a"
    hosts = pa.array(["https://u@Docs.Example.co.uk.:8080/100%", "http://Почта.Президент.РФ/", "http://[::0:1]/", "mailto:a@b"])
    assert normalize_column(hosts, key="host").to_pylist() == [
        "docs.example.co.uk",
        "xn--80a1acny.xn--d1abbgf6aiiy.xn--p1ai",
        "[::1]",
        "",
    ]
    assert normalize_column(hosts, key="domain").to_pylist() == ["example.co.uk", "xn--d1abbgf6aiiy.xn--p1ai", "[::1]", ""]
    assert Normalizer("safe").key(hosts[0].as_py(), "domain") == "example.co.uk"
    assert normalize_column(uris, key="cdx").to_pylist()[0] == relref.cdx_key(uris[0].as_py()) == "com,h)/a?utm_source=x"
    problems = normalize_column(uris, "safe").problems
    assert [problem.row for problem in problems] == [2]
    assert "illegal escape" in problems[0].message


def test_other_libraries_read_and_write():
    polars = pytest.importorskip("polars")
    series = polars.Series("x", REFERENCES)
    assert polars.Series(resolve_column(BASE, series)).to_list() == EXPECTED
    assert resolve_column(BASE, series.cast(polars.Categorical)).to_pylist() == EXPECTED
    frame = polars.DataFrame({"base": [BASE] * len(series), "reference": series})
    assert resolve_column(frame["base"], frame["reference"]).to_pylist() == EXPECTED
    duckdb = pytest.importorskip("duckdb")
    links = pa.table({"reference": REFERENCES})
    relation = duckdb.sql("SELECT reference FROM links")
    assert resolve_column(BASE, relation).to_pylist() == EXPECTED
    uris = pa.table({"uri": pa.chunked_array(resolve_column(BASE, relation))})
    assert duckdb.sql("SELECT count(uri) FROM uris").fetchall() == [(4,)]


def test_columns_go_back_to_arrow():
    column = resolve_column(BASE, sliced(pa.array(REFERENCES)))
    for back in (pa.array(column), pa.chunked_array(column)):
        back.validate(full=True)
        assert back.to_pylist() == EXPECTED
    assert pa.chunked_array(column).to_pylist() == EXPECTED
    assert pa.array(column, pa.large_string()).to_pylist() == EXPECTED
    assert repr(column) == "<Column of 6 rows, 1 problems>"


def test_threads():
    references = pa.array([f"b{number}" for number in range(50_000)])
    expected = resolve_column(BASE, references).to_pylist()
    with ThreadPoolExecutor(8) as pool:
        for column in pool.map(lambda _: resolve_column(BASE, references), range(16)):
            assert column.to_pylist() == expected


def test_a_column_of_more_than_two_gigabytes_has_chunks():
    base = "http://h/" + "x" * 1_000_000 + "/"
    references = pa.array(["y" * 10] * 2200)
    try:
        column = pa.chunked_array(resolve_column(base, references, "rfc3986"))
    except MemoryError:
        pytest.skip("not enough memory")
    assert (column.num_chunks, len(column), column.null_count) == (2, 2200, 0)
    assert column[0].as_py() == column[2199].as_py() == base + "y" * 10


def test_pandas_in_every_version():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(REFERENCES)
    types = [None, "string", "string[pyarrow]", "object", "category", pandas.ArrowDtype(pa.string()), pandas.ArrowDtype(pa.large_string())]
    for data_type in types:
        column = series if data_type is None else series.astype(data_type)
        for references in (column, pandas.Index(column), column.rename("имя").to_frame()):
            if isinstance(references, pandas.DataFrame) and not hasattr(references, "__arrow_c_stream__"):
                continue
            assert resolve_column(BASE, references).to_pylist() == EXPECTED, (data_type, type(references))
        bases = pandas.Series([BASE] * len(column), dtype=column.dtype if data_type != "category" else None)
        assert resolve_column(bases, column).to_pylist() == EXPECTED
        assert resolve_column(BASE, column[1:4]).to_pylist() == EXPECTED[1:4]
    for other in (pandas.Series([1, 2]), pandas.Timestamp(0)):
        with pytest.raises(TypeError, match="expected an Arrow column of strings"):
            resolve_column(BASE, other)
    # Of pandas 3, it is an exception of pyarrow.
    with pytest.raises(TypeError):
        resolve_column(BASE, pandas.Series(["a", 5], dtype=object))


def test_pandas_reads_columns():
    pandas = pytest.importorskip("pandas")
    column = resolve_column(BASE, pandas.Series(REFERENCES))
    back = pa.chunked_array(column).to_pandas()
    assert [None if value is None or value != value else value for value in back] == EXPECTED


class Held:
    """The capsules that an array, or two, gave once."""

    def __init__(self, schema, data):
        self.capsules = schema.__arrow_c_array__()[0], data.__arrow_c_array__()[1]

    def __arrow_c_array__(self, requested_schema=None):
        return self.capsules


class HeldStream:
    def __init__(self, capsule):
        self.capsule = capsule

    def __arrow_c_stream__(self, requested_schema=None):
        return self.capsule


def test_consumed_capsules_are_refused(capfd):
    array = pa.array(["Привет", "b"])
    for held in (Held(array, array), HeldStream(pa.chunked_array([array]).__arrow_c_stream__())):
        assert len(normalize_column(held)) == 2
        for read in (normalize_column, lambda column: resolve_column(BASE, column), lambda column: resolve_column(column, array)):
            with pytest.raises(ValueError):
                read(held)
    # Nothing is printed about it.
    assert capfd.readouterr().err == ""


def test_capsules_that_do_not_fit_are_refused(capfd):
    text, number, record, several = pa.array(["日本"]), pa.array([1]), pa.array([{"a": "x"}]), pa.array([["x"]])
    category = text.dictionary_encode()
    pairs = [(text, number), (text, record), (text, several), (text, category), (text, pa.nulls(1)), (category, text), (record, text)]
    for schema, data in [*pairs, (pa.array([{"a": "x", "b": "y"}]), record), (number, text), (pa.nulls(1), text)]:
        with pytest.raises(ValueError):
            normalize_column(Held(schema, data))
    with pytest.raises(ValueError):
        normalize_column(HeldStream(text.__arrow_c_array__()[0]))
    column = resolve_column(BASE, text)
    for capsule in (text.__arrow_c_array__()[1], pa.chunked_array([text]).__arrow_c_stream__()):
        for export in (column.__arrow_c_array__, column.__arrow_c_stream__, relref.archive_links(io.BytesIO()).__arrow_c_stream__):
            with pytest.raises(ValueError):
                export(capsule)
    assert capfd.readouterr().err == ""


def test_a_producers_own_exceptions_are_kept():
    class Failing:
        def __arrow_c_array__(self, requested_schema=None):
            raise KeyError("é")

    with pytest.raises(KeyError):
        normalize_column(Failing())


def test_columns_are_sequences():
    column = resolve_column(BASE, sliced(pa.array(REFERENCES)))
    assert list(column) == EXPECTED == [column[row] for row in range(6)] == [column[row - 6] for row in range(6)]
    assert column[1:3] == EXPECTED[1:3]
    for row in (6, -7):
        with pytest.raises(IndexError):
            column[row]


def test_a_column_of_a_series_keeps_its_index():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series(["b", None, "http://x:y/"], index=[30, 10, 20], name="link")
    for column in (resolve_column(BASE, series), pickle.loads(pickle.dumps(resolve_column(BASE, series)))):
        back = column.to_pandas()
        assert (back.index.tolist(), back.name, back[30], back.isna().sum()) == ([30, 10, 20], "link", BASE + "b", 2)
    frame = pandas.DataFrame({"link": series})
    frame["uri"] = resolve_column(BASE, frame["link"]).to_pandas()
    assert frame["uri"][30] == BASE + "b"
    assert normalize_column(series, "safe").to_pandas().index.tolist() == [30, 10, 20]
    assert resolve_column(BASE, pa.array(REFERENCES)).to_pandas().index.tolist() == list(range(6))
    assert len(resolve_column(BASE, pa.array([], pa.string())).to_pandas()) == 0


def test_columns_of_nulls():
    polars = pytest.importorskip("polars")
    for column in (polars.Series([None, None]), polars.DataFrame({"x": [None, None]})):
        assert resolve_column(BASE, column).to_pylist() == normalize_column(column).to_pylist() == [None, None]
    assert resolve_column(polars.Series([None, BASE]), polars.Series([None, None])).to_pylist() == [None, None]
    with pytest.raises(MemoryError):
        resolve_column(BASE, pa.nulls(1 << 50))


def test_requested_schemas_are_obeyed_or_refused():
    column = resolve_column(BASE, pa.array(["b", None]))
    for data_type in STRINGS:
        assert pa.array(column, data_type).type == pa.chunked_array(column, data_type).type == data_type
    for data_type in (pa.int64(), pa.binary(), pa.list_(pa.string()), pa.null()):
        for read in (pa.array, pa.chunked_array):
            with pytest.raises(ValueError, match="requested_schema: "):
                read(column, data_type)
    columns = {"page": pa.string(), "uri": pa.large_string()}
    links = relref.archive_links(io.BytesIO(), columns=["page", "uri"])
    assert pa.RecordBatchReader.from_stream(links, pa.schema(columns)).schema == pa.schema(columns)
    for schema in ({"page": pa.string()}, {"page": pa.string(), "uri": pa.int64()}, {"uri": pa.string(), "page": pa.string()}):
        links = relref.archive_links(io.BytesIO(), columns=["page", "uri"])
        with pytest.raises(ValueError, match="requested_schema: "):
            pa.RecordBatchReader.from_stream(links, pa.schema(schema))


def test_white_space_in_columns():
    uris = pa.array([" http://h/a ", "http://h/\nb"])
    assert normalize_column(uris).to_pylist() == normalize_column(uris, "crawl").to_pylist() == ["http://h/a", "http://h/b"]
    assert normalize_column(uris, key="host").to_pylist() == ["h", "h"]
    assert normalize_column(uris, Normalizer(strip=False)).to_pylist()[0].startswith("%20")


def test_functions_for_duckdb():
    duckdb = pytest.importorskip("duckdb")
    from relref import duckdb as relref_duckdb

    connection = duckdb.connect()
    relref_duckdb.register(connection)
    connection.execute("CREATE TABLE pages AS SELECT * FROM (VALUES ('http://h/a', 'b'), ('http://h/', NULL), ('no', 'b'), (NULL, 'b')) t(page, reference)")
    assert connection.execute("SELECT relref_resolve(page, reference) FROM pages").fetchall() == [("http://h/b",), (None,), (None,), (None,)]
    keys = connection.execute(
        "SELECT relref_normalize(u), relref_surt(u), relref_cdx(u), relref_host(u), relref_domain(u) FROM (VALUES ('http://www.A.example.com?b&a')) t(u)"
    ).fetchall()
    assert keys == [("http://www.a.example.com/?a&b", "com,example,a,www)/?a&b", "com,example,a)/?a&b", "www.a.example.com", "example.com")]
    many = connection.execute("SELECT count(DISTINCT relref_normalize('http://h/' || i || '#' || j)) FROM range(3000) r(i), range(2) s(j)").fetchall()
    assert many == [(3000,)]
    # Again, with another normalizer.
    relref_duckdb.register(connection, Normalizer("none"))
    assert connection.execute("SELECT relref_normalize('http://H')").fetchall() == [("http://H",)]
    with pytest.raises(ValueError, match="preset"):
        relref_duckdb.register(connection, "all")


def test_the_example_of_duckdb():
    pytest.importorskip("duckdb")
    from relref import duckdb as relref_duckdb

    [example] = doctest.DocTestFinder(recurse=False).find(relref_duckdb.register, "register", relref_duckdb)
    done = doctest.DocTestRunner().run(example)
    assert (done.failed, done.attempted > 0) == (0, True)
