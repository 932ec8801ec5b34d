"""Rules from where Python people have them, and the accessors of pandas."""

import dataclasses
import datetime
import decimal
import enum
import json
import typing
import uuid

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import assay
import assay.pandas


def fields_of(rules):
    return {field["name"]: field for field in json.loads(rules.json())["fields"]}


def test_fields():
    made = assay.Rules.of(
        assay.Field("id").type("integer").required().unique().minimum(1).maximum(10**20),
        assay.Field("mail").format("email").missing("", "-").repair("trim", {"missing": ["N/A"]}),
        assay.Field("born").type("date", format="%d.%m.%Y").minimum("01.01.1900"),
        assay.Field("kind").one_of("new", "used").min_length(3).max_length(4),
        assay.Field("code", description="of the shop").pattern("[A-Z]{2}").rule(id="old", pattern="[^X].", severity="warn"),
        assay.Field("yes").type("boolean", trueValues=["ja"], falseValues=["nein"]),
        primaryKey="id",
        rows=[{"id": "two", "check": "kind != code"}],
        thresholds={"rejected": "10%"},
    )
    text = """
fields:
  - {name: id, type: integer, constraints: {required: true, unique: true, minimum: 1, maximum: 100000000000000000000}}
  - {name: mail, format: email, missingValues: ['', '-'], repair: [trim, {missing: [N/A]}]}
  - {name: born, type: date, format: '%d.%m.%Y', constraints: {minimum: 01.01.1900}}
  - {name: kind, constraints: {enum: [new, used], minLength: 3, maxLength: 4}}
  - {name: code, description: of the shop, constraints: {pattern: '[A-Z]{2}'}, rules: [{id: old, pattern: '[^X].', severity: warn}]}
  - {name: 'yes', type: boolean, trueValues: [ja], falseValues: [nein]}
primaryKey: id
rows: [{id: two, check: kind != code}]
thresholds: {rejected: 10%}
"""
    assert json.loads(made.json()) == json.loads(assay.Rules.parse(text).json())
    one = assay.Field("id")
    assert one.required() != one == assay.Field("id") and one.to_dict() == {"name": "id"}
    assert repr(one.required()) == "<assay.Field {'name': 'id', 'constraints': {'required': True}}>"
    assert assay.Rules.parse({"fields": [one, {"name": "n"}]}).fields == ["id", "n"]
    with pytest.raises(TypeError, match="the name of a field is a str, not int"):
        assay.Field(7)
    with pytest.raises(assay.AssayError, match="unknown type 'int'|'int'"):
        assay.Rules.of(assay.Field("id").type("int"))


class Kind(enum.Enum):
    NEW = "new"
    USED = "used"


@dataclasses.dataclass
class Order:
    number: int
    share: float
    name: str
    paid: bool
    day: datetime.date
    at: datetime.datetime
    clock: datetime.time
    price: decimal.Decimal
    own: uuid.UUID
    kind: Kind
    side: typing.Literal["left", "right"]
    note: str | None = None
    old: typing.Optional[datetime.date] = None  # noqa: UP007


def test_dataclasses():
    rules = assay.Rules.from_model(Order)
    fields = fields_of(rules)
    kinds = {name: field.get("type", field.get("format")) for name, field in fields.items()}
    assert [kinds[name] for name in ("number", "share", "name", "paid", "day", "at", "clock", "price", "note", "old")] == [
        "integer",
        "number",
        "string",
        "boolean",
        "date",
        "datetime",
        "time",
        "number",
        "string",
        "date",
    ]
    assert fields["own"]["format"] == "uuid" and fields["kind"]["constraints"]["enum"] == ["new", "used"]
    assert [name for name, field in fields.items() if not field.get("constraints", {}).get("required")] == ["note", "old"]
    values = [7, 1.5, "Anna", True, datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29), datetime.time(1)]
    order = dict(zip(fields, [*values, decimal.Decimal("1.50"), str(uuid.UUID(int=1 << 76 | 1 << 63)), "new", "left", None, None]))
    found = rules.check_record(order)
    assert [finding.rule for finding in found] == [], found
    assert [finding.rule for finding in rules.check_record(order | {"side": "up", "number": None})] == [
        "number.required",
        "side.enum",
    ]
    for hint, says in [
        (list[int], r"the field 'a' is list\[int\], which rules cannot say: leave it out, or write the rules as a dict"),
        (int | str, "the field 'a' is int | str, which rules cannot say"),
        (typing.Literal["a", 1], "the field 'a' is one of .*, and rules have only str, or only int, in an enum"),
    ]:
        with pytest.raises(TypeError, match=says):
            assay.Rules.from_model(dataclasses.make_dataclass("Odd", [("a", hint)]))


def test_models_of_pydantic():
    pydantic = pytest.importorskip("pydantic")

    class User(pydantic.BaseModel):
        id: int
        age: typing.Annotated[int, pydantic.Field(ge=0, lt=150)] | None
        name: typing.Annotated[str, pydantic.StringConstraints(max_length=5)]
        born: datetime.date | None = None
        kind: Kind = Kind.NEW
        price: decimal.Decimal = decimal.Decimal(1)

    rules = assay.Rules.from_model(User)
    fields = fields_of(rules)
    assert [name for name, field in fields.items() if field.get("constraints", {}).get("required")] == ["id", "name"]
    assert fields["kind"]["constraints"]["enum"] == ["new", "used"] and fields["born"]["type"] == "date"
    result = rules.check_record({"id": 1, "age": 150, "name": "Johann", "born": "x", "kind": "old", "price": "1.5"})
    assert [finding.rule.partition(".")[0] for finding in result] == ["age", "name", "born", "kind"]
    assert rules.check_record({"id": 1, "age": None, "name": "Anna"}) == []

    class Odd(pydantic.BaseModel):
        a: int | str

    class List(pydantic.BaseModel):
        a: list[int]

    with pytest.raises(TypeError, match="the field 'a' is of one of several types, which rules cannot say"):
        assay.Rules.from_model(Odd)
    with pytest.raises(assay.AssayError, match="a cell holds no array"):
        assay.Rules.from_model(List)


def test_schemas_of_arrow():
    schema = pa.schema(
        [
            pa.field("small", pa.int8(), nullable=False),
            pa.field("big", pa.uint64()),
            pa.field("text", pa.dictionary(pa.int32(), pa.string())),
            pa.field("share", pa.float32()),
            pa.field("price", pa.decimal128(10, 2)),
            pa.field("flag", pa.bool_()),
            pa.field("day", pa.date32()),
            pa.field("at", pa.timestamp("us", "UTC")),
            pa.field("clock", pa.time64("us")),
            pa.field("user", pa.struct([pa.field("id", pa.int16(), nullable=False), pa.field("name", pa.string())])),
        ]
    )
    fields = fields_of(assay.Rules.from_model(schema))
    assert {name: field["type"] for name, field in fields.items()} == {
        "small": "integer",
        "big": "integer",
        "text": "string",
        "share": "number",
        "price": "number",
        "flag": "boolean",
        "day": "date",
        "at": "datetime",
        "clock": "time",
        "user.id": "integer",
        "user.name": "string",
    }
    assert fields["small"]["constraints"] == {"required": True, "minimum": "-128", "maximum": "127"}
    # The struct may be null, and its columns with it.
    assert fields["user.id"]["constraints"] == {"minimum": "-32768", "maximum": "32767"}
    table = pa.table({field.name: pa.nulls(2, field.type) for field in schema})
    assert assay.Rules.from_model(table.schema).check(table).ok
    frame = pl.DataFrame({"n": [1], "s": ["a"]})
    assert assay.Rules.from_model(frame.to_arrow().schema).check(frame).ok
    with pytest.raises(TypeError, match="the column 'a' is of the Arrow type list<item: int64>, which rules cannot say"):
        assay.Rules.from_model(pa.schema([("a", pa.list_(pa.int64()))]))
    for wrong in (int, 7, "users"):
        with pytest.raises(TypeError, match="is no model that assay knows: give it a dataclass, a model of pydantic, or a schema"):
            assay.Rules.from_model(wrong)


def test_accessors_of_pandas():
    rules = assay.Rules.of(assay.Field("id").type("integer").repair("trim"))
    frame = pd.DataFrame({"id": [" 1", "x"]}, index=["a", "b"])
    assert frame.assay.check(rules).report.rejected == 1
    assert frame.assay.clean(rules)["id"].to_dict() == {"a": "1"} and list(frame.assay.rejected(rules).index) == ["b"]
    assert frame.assay.repair(rules)["id"].tolist() == ["1", "x"]
    with pytest.raises(assay.ValidationError, match="'x' is not an integer"):
        frame.assay.validate(rules, values=True)
    assert frame[:1].assay.validate(rules)["id"].tolist() == ["1"]
    assert frame.assay.profile().records == 2
    assert frame["id"].assay.matches("X", case_insensitive=True).tolist() == [False, True]
    assert frame["id"].assay.matches(assay.Pattern(r"\d", search=True)).to_dict() == {"a": True, "b": False}
