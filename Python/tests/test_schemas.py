"""Rules from classes of attrs, schemas of pandera, TypedDict and NamedTuple: each constraint changes a verdict, or is
an error with its name."""

import dataclasses
import enum
import json
import re
import typing

import pandas as pd
import polars as pl
import pytest

import assay

attrs = pytest.importorskip("attrs")
v = attrs.validators


def rules_of(found):
    return [finding.rule for finding in found]


#: A type, a validator, values that it allows, values that it forbids.
VALIDATORS = [
    (int, v.ge(1), [1, 2], [0]),
    (int, v.gt(1), [2], [1]),
    (float, v.le(1.5), [1.5], [1.6]),
    (float, v.lt(1.5), [1.4], [1.5]),
    (str, v.max_len(2), ["ab"], ["abc"]),
    (str, v.min_len(2), ["ab"], ["a"]),
    (str, v.in_(["a", "b"]), ["a"], ["c"]),
    (int, v.in_((1, 2)), [1], [3]),
    (str, v.matches_re("a|bc"), ["a", "bc"], ["ab", "abc"]),
    (str, v.matches_re("a|bc", func=re.match), ["a", "ax\n", "bcd"], ["b", "xa"]),
    (str, v.matches_re("a$", func=re.search), ["a", "xa"], ["ab"]),
    (str, v.matches_re(re.compile("a")), ["a"], ["b"]),
    (int, [v.ge(1), v.le(3), v.instance_of(int)], [1, 3], [0, 4]),
    (int, v.and_(v.ge(1), v.le(3)), [1, 3], [0, 4]),
    (int | None, v.optional(v.ge(1)), [1, None], [0]),
    (int, v.optional([v.ge(1), v.le(3)]), [1, None], [0, 4]),
]


@pytest.mark.parametrize("hint, validator, good, bad", VALIDATORS, ids=str)
def test_validators_of_attrs(hint, validator, good, bad):
    for model in (attrs.make_class("M", {"a": attrs.field(type=hint, validator=validator)}),
                  attrs.make_class("S", {"a": attrs.field(type=hint, validator=validator)}, slots=True)):
        rules = assay.Rules.from_model(model)
        for value in good:
            model(value)
            assert rules.check_record({"a": value}) == [], value
        for value in bad:
            with pytest.raises(ValueError):
                model(value)
            assert len(rules.check_record({"a": value})) == 1, value


def positive(instance, attribute, value): ...


REFUSED_ATTRIBUTES = [
    ({"type": str, "validator": positive}, "the validator <function positive"),
    ({"type": int, "validator": [v.ge(1), positive]}, "the validator <function positive"),
    ({"type": str, "validator": v.not_(v.in_(["a"]))}, "the validator <not_"),
    ({"type": int, "validator": v.or_(v.ge(1), v.le(-1))}, "the validator <or validator"),
    ({"type": str, "validator": v.in_({"a": 1, 2: 3})}, "one of .*only str, or only int"),
    ({"type": float, "validator": v.in_([1.5])}, "the validator <in_"),
    ({"type": int, "validator": v.instance_of(bool)}, "the validator <instance_of"),
    ({"type": int, "validator": v.max_len(2)}, "'max_length'"),
    ({"type": int, "validator": v.matches_re("a")}, "the validator <matches_re"),
    ({"type": str, "validator": v.matches_re("a", re.I)}, "the validator <matches_re"),
    ({"type": str, "validator": v.ge("a")}, "'ge'"),
    ({"type": int, "validator": v.is_callable()}, "the validator <is_callable"),
    ({"type": int, "converter": int}, "the converter <class 'int'>"),
    ({"type": int, "metadata": {"max": 5}}, "'max' in its metadata"),
    ({}, "no type"),
]


@pytest.mark.parametrize("options, words", REFUSED_ATTRIBUTES, ids=str)
def test_attributes_are_refused_by_name(options, words):
    with pytest.raises(TypeError, match=f"the field 'a' (has|is) {words}.*"):
        assay.Rules.from_model(attrs.make_class("M", {"a": attrs.field(**options)}))


def test_classes_of_attrs():
    @attrs.define
    class User:
        id: int = attrs.field(validator=v.ge(1), metadata={"unit": "1"})
        name: str | None = None
        mail: str = attrs.field(default="", alias="email")

    fields = {field["name"]: field for field in json.loads(assay.Rules.from_model(User).json())["fields"]}
    assert [name for name, field in fields.items() if field.get("constraints", {}).get("required")] == ["id", "mail"]

    @attrs.define
    class Late(User):
        def __attrs_post_init__(self): ...

    with pytest.raises(TypeError, match="the model 'Late' has the method '__attrs_post_init__'"):
        assay.Rules.from_model(Late)


def test_dataclasses_with_more():
    @dataclasses.dataclass
    class Late:
        a: int

        def __post_init__(self): ...

    with pytest.raises(TypeError, match="the model 'Late' has the method '__post_init__', which rules cannot express"):
        assay.Rules.from_model(Late)

    @dataclasses.dataclass
    class Described:
        a: int = dataclasses.field(metadata={"description": "the number", "unit": "kg"})
        b: int = dataclasses.field(default=1, metadata={"validate": positive})

    with pytest.raises(TypeError, match="the field 'b' has 'validate' in its metadata"):
        assay.Rules.from_model(Described)
    pydantic = pytest.importorskip("pydantic")

    class Model(pydantic.BaseModel):
        a: int
        _private: int = 1

        def model_post_init(self, context): ...

    class Private(pydantic.BaseModel):
        a: int
        _private: int = 1

    class Root(pydantic.RootModel[int]): ...

    with pytest.raises(TypeError, match="the model 'Model' has the method 'model_post_init'"):
        assay.Rules.from_model(Model)
    with pytest.raises(TypeError, match="the model 'Root' has a root value instead of fields"):
        assay.Rules.from_model(Root)
    assert assay.Rules.from_model(Private).fields == ["a"]


def test_typed_dicts_and_named_tuples():
    class User(typing.TypedDict):
        id: int
        name: str | None

    class More(User, total=False):
        mail: str

    class Row(typing.NamedTuple):
        id: int
        name: str | None = None

    for model in (User, More, Row):
        rules = assay.Rules.from_model(model)
        assert rules_of(rules.check_record({"id": "x", "name": None, "mail": "a"})) == ["id.type"]
        assert rules_of(rules.check_record({})) == ["id.required"]
    fields = json.loads(assay.Rules.from_model(More).json())["fields"]
    assert [field.get("optional", False) for field in fields] == [False, True, True]
    with pytest.raises(TypeError, match=r"the field 'a' is list\[int\]"):
        assay.Rules.from_model(typing.NamedTuple("Odd", [("a", list[int])]))


# -- pandera

pandera = pytest.importorskip("pandera.pandas")
import pandera.polars as polars_schemas  # noqa: E402

Check, Column = pandera.Check, pandera.Column

#: A dtype, a check, values that it allows, values that it forbids.
CHECKS = [
    (int, Check.ge(1), [1], [0]),
    (int, Check.gt(1), [2], [1]),
    (int, Check.ge(-(10**30)), [0], []),
    (float, Check.le(1.5), [1.5], [1.6]),
    (float, Check.lt(1.5), [1.4], [1.5]),
    (int, Check.in_range(1, 3), [1, 3], [0, 4]),
    (float, Check.in_range(1, 3, include_min=False, include_max=False), [1.1, 2.9], [1.0, 3.0]),
    (str, Check.isin(["a", "b"]), ["a"], ["c"]),
    (int, Check.isin([1, 2]), [1], [3]),
    (str, Check.eq("a"), ["a"], ["b"]),
    (int, Check.eq(1), [1], [2]),
    (str, Check.str_length(1, 2), ["a", "ab"], ["abc"]),
    (str, Check.str_length(min_value=2), ["ab"], ["a"]),
    (str, Check.str_matches("a|bc"), ["a", "ax", "bc"], ["xa", "b"]),
    (str, Check.str_contains("a|bc"), ["xa", "xbcx"], ["x", "b"]),
    (str, Check.str_startswith("a."), ["a.b"], ["ab", "xa."]),
    (str, Check.str_endswith(".a"), ["b.a"], ["ba", ".ab"]),
    ("int8", None, [1, -128, 127], []),
    ("uint8", None, [0, 255], []),
    (bool, None, [True], []),
    ("datetime64[ns]", None, [pd.Timestamp("2024-01-01 01:00")], []),
]


@pytest.mark.parametrize("dtype, check, good, bad", CHECKS, ids=str)
def test_checks_of_pandera(dtype, check, good, bad):
    schema = pandera.DataFrameSchema({"a": Column(dtype, check)})
    rules = assay.Rules.from_model(schema)
    for value in good:
        frame = pd.DataFrame({"a": pd.Series([value], dtype=dtype)})
        schema.validate(frame)
        assert rules.check(frame).ok, value
    for value in bad:
        frame = pd.DataFrame({"a": pd.Series([value], dtype=dtype)})
        with pytest.raises(pandera.errors.SchemaError):
            schema.validate(frame)
        assert not rules.check(frame).ok, value
    if check is not None:
        polars_dtype = {int: pl.Int64, float: pl.Float64, str: pl.String}[dtype]
        schema = polars_schemas.DataFrameSchema({"a": polars_schemas.Column(polars_dtype, check)})
        rules = assay.Rules.from_model(schema)
        for value in [*good, *bad]:
            assert rules.check(pl.DataFrame({"a": pl.Series([value], dtype=polars_dtype)})).ok == (value in good)


REFUSED_COLUMNS = [
    ({"checks": Check(lambda column: column > 1)}, "the check"),
    ({"checks": Check(lambda column: column > 1, name="greater_than", statistics={"min_value": 1})}, "the check"),
    ({"checks": Check.ne(1)}, "the check"),
    ({"checks": Check.notin([1])}, "the check"),
    ({"checks": Check.isin([1.5])}, "the check"),
    ({"checks": Check.unique_values_eq([1])}, "the check"),
    ({"checks": Check.ge(1, ignore_na=False)}, "the check"),
    ({"checks": Check.str_length(1, 2)}, "the check"),
    ({"dtype": "category"}, "the dtype category"),
    ({"dtype": "timedelta64[ns]"}, "the dtype"),
    ({"dtype": object}, "the dtype object"),
    ({"required": False}, "required=False"),
    ({"default": 1}, "'regex', 'parsers' or 'default'"),
    ({"regex": True}, "'regex', 'parsers' or 'default'"),
    ({"parsers": pandera.Parser(lambda column: column)}, "'regex', 'parsers' or 'default'"),
    ({"unique": True, "nullable": True}, "unique=True and nullable=True"),
]


@pytest.mark.parametrize("options, words", REFUSED_COLUMNS, ids=str)
def test_columns_of_pandera_are_refused(options, words):
    with pytest.raises(TypeError, match=f"the column 'a' has {words}.*which rules cannot express"):
        assay.Rules.from_model(pandera.DataFrameSchema({"a": Column(**{"dtype": int} | options)}))


REFUSED_SCHEMAS = [
    ({"checks": Check(lambda frame: True)}, "'checks'"),
    ({"index": pandera.Index(int)}, "'index'"),
    ({"dtype": int}, "'dtype'"),
    ({"add_missing_columns": True}, "'add_missing_columns'"),
    ({"strict": "filter"}, "strict='filter'"),
    ({"ordered": True}, "ordered=True"),
    ({"unique": ["n"]}, "'unique'"),
    ({"unique": ["a"], "report_duplicates": "exclude_some"}, "'report_duplicates'"),
]


@pytest.mark.parametrize("options, words", REFUSED_SCHEMAS, ids=str)
def test_schemas_of_pandera_are_refused(options, words):
    columns = {"a": Column(int), "n": Column(float, nullable=True)}
    with pytest.raises(TypeError, match=f"the schema has .*{words}.*which rules cannot express"):
        assay.Rules.from_model(pandera.DataFrameSchema(columns, **options))


def test_schemas_of_pandera():
    class Users(pandera.DataFrameModel):
        id: int = pandera.Field(ge=1, unique=True)
        name: str = pandera.Field(str_length={"min_value": 1})
        age: float = pandera.Field(nullable=True, lt=150, raise_warning=True)

        class Config:
            strict = True
            unique = ["id", "name"]

    rules = assay.Rules.from_model(Users)
    result = rules.check(pd.DataFrame({"id": [1, 1, 0], "name": ["a", "b", None], "age": [200, None, 1.5]}))
    assert rules_of(result) == ["age.exclusiveMaximum", "id.unique", "id.unique", "id.minimum", "name.required"]
    assert result.mask.tolist() == [False] * 3
    with pytest.raises(assay.AssayError, match="no field"):
        rules.check(pd.DataFrame({"id": [1], "name": ["a"], "age": [1.5], "more": [1]}))
    fields = json.loads(assay.Rules.from_model(pandera.DataFrameSchema({
        "a": Column("int8", Check.ge(-200)), "b": Column("uint8", Check.lt(10)), "c": Column("int16", Check.gt(7)),
    })).json())["fields"]
    assert [field["constraints"] for field in fields] == [
        {"required": True, "minimum": "-200", "maximum": "127"},
        {"required": True, "minimum": "0", "exclusiveMaximum": "10"},
        {"required": True, "exclusiveMinimum": "7", "maximum": "32767"},
    ] and fields[0]["rules"] == [{"id": "a.minimum2", "minimum": "-128"}]
    keyed = pandera.DataFrameSchema({"a": Column(int, unique=True, report_duplicates="exclude_first")})
    assert assay.Rules.from_model(keyed).check(pd.DataFrame({"a": [1, 1, 2]})).mask.tolist() == [True, False, True]
    keyed = pandera.DataFrameSchema({"a": Column(int), "b": Column(int)}, unique=["a", "b"],
                                    report_duplicates="exclude_last")
    frame = pd.DataFrame({"a": [1, 1, 2], "b": [1, 1, 1]})
    assert assay.Rules.from_model(keyed).check(frame).mask.tolist() == [False, True, True]


def test_kinds_of_enum():
    class Kind(enum.Enum):
        NEW = "new"

    rules = assay.Rules.from_model(attrs.make_class("M", {"a": attrs.field(type=Kind)}))
    assert rules_of(rules.check_record({"a": "old"})) == ["a.enum"]
