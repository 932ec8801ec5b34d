"""Rules from dataclasses, models and schemas, and the accessors of pandas."""

import dataclasses
import datetime
import decimal
import enum
import inspect
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
        assay.Field("code",
                    description="of the shop").pattern("[A-Z]{2}").rule(id="old", pattern="[^X].", severity="warn"),
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
  - name: code
    description: of the shop
    constraints: {pattern: '[A-Z]{2}'}
    rules: [{id: old, pattern: '[^X].', severity: warn}]
  - {name: 'yes', type: boolean, trueValues: [ja], falseValues: [nein]}
primaryKey: id
rows: [{id: two, check: kind != code}]
thresholds: {rejected: 10%}
"""
    assert json.loads(made.json()) == json.loads(assay.Rules.parse(text).json())
    one = assay.Field("id")
    assert one.required() != one == assay.Field("id") and one.to_dict() == {"name": "id"}
    assert one.optional().to_dict() == {"name": "id", "optional": True}
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
    assert [kinds[name]
            for name in ("number", "share", "name", "paid", "day", "at", "clock", "price", "note", "old")] == [
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
    assert fields["own"]["format"] == "uuid any-version" and fields["kind"]["constraints"]["enum"] == ["new", "used"]
    assert [name for name, field in fields.items()
            if not field.get("constraints", {}).get("required")] == ["note", "old"]
    # These fields may be missing in all records of JSON Lines.
    assert [name for name, field in fields.items() if field.get("optional")] == ["note", "old"]
    values = [7, 1.5, "Anna", True, datetime.date(2024, 2, 29), datetime.datetime(2024, 2, 29), datetime.time(1)]
    order = dict(zip(fields, [*values, decimal.Decimal("1.50"), str(uuid.UUID(int=1 << 76 | 1 << 63)), "new", "left",
                              None, None]))
    found = rules.check_record(order)
    assert [finding.rule for finding in found] == [], found
    assert [finding.rule for finding in rules.check_record(order | {"side": "up", "number": None})] == [
        "number.required",
        "side.enum",
    ]
    for hint, says in [
        (list[int],
         r"the field 'a' is list\[int\], which rules cannot express: leave it out, or write the rules as a dict"),
        (int | str, r"the field 'a' is of one of several types, int \| str, which rules cannot express"),
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

    with pytest.raises(TypeError, match=r"the field 'a' is of one of several types, int \| str, which rules cannot "
                                        r"express"):
        assay.Rules.from_model(Odd)
    with pytest.raises(TypeError, match=r"the field 'a' is list\[int\], which rules cannot express"):
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
    # Members of a struct are nullable if the struct is.
    assert fields["user.id"]["constraints"] == {"minimum": "-32768", "maximum": "32767"}
    table = pa.table({field.name: pa.nulls(2, field.type) for field in schema})
    assert assay.Rules.from_model(table.schema).check(table).ok
    frame = pl.DataFrame({"n": [1], "s": ["a"]})
    assert assay.Rules.from_model(frame.to_arrow().schema).check(frame).ok
    rules = assay.Rules.from_model(pa.schema([("price", pa.decimal128(5, 2)), ("old", pa.decimal128(3, -2))]))
    assert [rules.check_record({"price": price}) == []
            for price in ("123.450", "1234.5", "1.234")] == [True, False, False]
    assert [rules.check_record({"old": old}) == [] for old in ("12300", "123456")] == [True, False]
    rules = assay.Rules.from_model(pl.Schema({"side": pl.Enum(["left", "right"]), "n": pl.Int8()}))
    assert [finding.rule for finding in rules.check_record({"side": "up", "n": 200})] == ["side.enum", "n.maximum"]
    with pytest.raises(TypeError, match="the column 's' is of the Polars type Struct"):
        assay.Rules.from_model(pl.Schema({"s": pl.Struct({"side": pl.Enum(["left"])})}))
    with pytest.raises(TypeError, match="the column 'a' is of the Arrow type list<item: int64>, which rules cannot "
                                        "express"):
        assay.Rules.from_model(pa.schema([("a", pa.list_(pa.int64()))]))
    for wrong in (int, 7, "users"):
        with pytest.raises(TypeError, match="is no model that assay knows: give it a dataclass, a model of pydantic, "
                                            "attrs or pandera, or a schema of Arrow or Polars"):
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


# -- Constraints of pydantic and annotated-types: each changes a verdict, or is refused with its name

D, Field, Annotated = decimal.Decimal, pytest.importorskip("pydantic").Field, typing.Annotated
import annotated_types as at  # noqa: E402
import pydantic  # noqa: E402

DAY, MOMENT, NOON = datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1), datetime.time(12)

#: By name of the constraint: a type that has it, values that it allows, and values that it forbids.
TRANSLATED = {
    "gt": [
        (Annotated[int, Field(gt=3)], [4, "5"], [3, "2"]),
        (Annotated[datetime.date, Field(gt=DAY)], ["2024-01-02"], ["2024-01-01", "1999-01-01"]),
        (pydantic.PositiveInt, [1], [0]),
    ],
    "ge": [(Annotated[float, Field(ge=0.5)], [0.5], [0.4]),
           (Annotated[datetime.datetime, Field(ge=MOMENT)], [MOMENT], ["2023-12-31T23:59:59"])],
    "lt": [(Annotated[D, Field(lt=D("1e2"))], [D("99.9")], [D(100)]),
           (Annotated[int | None, Field(lt=3)], [2, None], [3])],
    "le": [(Annotated[datetime.time, Field(le=NOON)], [NOON], ["12:00:01"]),
           (Annotated[int, Field(le=10**20)], [10**20], [10**20 + 1])],
    "multiple_of": [
        (Annotated[int, Field(multiple_of=3)], [0, 9, "-3", 3 * 10**30], [4, 10**30]),
        (Annotated[D, Field(multiple_of=D("0.01"))], ["1.5"], ["1.555"]),
        (Annotated[float, Field(multiple_of=0.3)], [0.6, "0.9", 0], [0.5]),
        (Annotated[D, Field(multiple_of=D("2.5"))], [D(5), "7.50"], [D(4)]),
    ],
    "min_length": [(Annotated[str, Field(min_length=2)], ["äö"], ["a"])],
    "max_length": [(Annotated[str, Field(max_length=2)], ["ab"], ["abc"])],
    "pattern": [(Annotated[str, Field(pattern="^a|b$")], ["ax", "xb"], ["xa"])],
    "max_digits": [
        (Annotated[D, Field(max_digits=5, decimal_places=2)], ["123.45", D("1.5000"), "0001"],
         [D("123456.789"), "1234.5", "1.234"]),
        (Annotated[D, Field(max_digits=3)], ["123", "0.123", "12.300"], ["1234", "12.34", "0.0001"]),
    ],
    "decimal_places": [(Annotated[D, Field(decimal_places=2)], ["123456789.12", "1.100"], ["0.001"])],
    "allow_inf_nan": [(pydantic.FiniteFloat, [1.5, 1e300], [float("inf"), "NaN"]), (D, ["1"], ["NaN", D("Infinity")])],
    "strip_whitespace": [(Annotated[str, pydantic.StringConstraints(strip_whitespace=True, max_length=1)], [" a "],
                          ["ab", " ab "])],
    "ascii_only": [(Annotated[str, pydantic.StringConstraints(ascii_only=True)], ["a"], ["ä"])],
    "Interval": [(Annotated[int, at.Interval(ge=1, lt=3)], [1, 2], [0, 3]), (pydantic.conint(gt=1), [2], [1])],
    "Len": [(Annotated[str, at.Len(1, 2)], ["a"], ["abc"])],
    "HttpUrl": [(pydantic.HttpUrl, ["https://a.example/"], ["ftp://a.example/", "https://a.example/" + 2083 * "a"])],
    "two bounds": [(Annotated[int, at.Ge(1), at.Ge(5)], [5], [4])],
}

Cat = dataclasses.make_dataclass("Cat", [("kind", typing.Literal["cat"])])
Dog = dataclasses.make_dataclass("Dog", [("kind", typing.Literal["dog"])])

#: By name of an unsupported constraint, as in the error: types that have it.
REFUSED = {
    "'strict'": [pydantic.StrictInt, Annotated[str, Field(strict=True)], pydantic.StrictBool],
    "'coerce_numbers_to_str'": [Annotated[str, Field(coerce_numbers_to_str=True)]],
    "'to_lower'": [Annotated[str, pydantic.StringConstraints(to_lower=True)]],
    "'to_upper'": [Annotated[str, pydantic.StringConstraints(to_upper=True)]],
    "several types": [int | str, Annotated[int | str, Field(union_mode="left_to_right")],
                      Annotated[Cat | Dog, Field(discriminator="kind")]],
    "'Timezone'": [Annotated[datetime.datetime, at.Timezone(None)]],
    "'Predicate'": [Annotated[str, at.Predicate(str.islower)], at.LowerCase[str], at.UpperCase[str], at.IsDigits[str],
                    at.IsFinite[float], at.IsNotFinite[float], at.IsNan[float], at.IsNotNan[float],
                    at.IsInfinite[float], at.IsNotInfinite[float]],
    "'AfterValidator'": [Annotated[int, pydantic.AfterValidator(abs)]],
    "'BeforeValidator'": [Annotated[int, pydantic.BeforeValidator(abs)]],
    "'PlainValidator'": [Annotated[int, pydantic.PlainValidator(abs)]],
    "'WrapValidator'": [Annotated[int, pydantic.WrapValidator(lambda value, handler: handler(value))]],
    "'UuidVersion'": [pydantic.UUID1, pydantic.UUID3, pydantic.UUID4, pydantic.UUID5, pydantic.UUID6, pydantic.UUID7,
                      pydantic.UUID8],
    "'UrlConstraints'": [Annotated[pydantic.AnyUrl, pydantic.UrlConstraints(allowed_schemes=["x"])]],
    "PastDate": [pydantic.PastDate],
    "FutureDate": [pydantic.FutureDate],
    "PastDatetime": [pydantic.PastDatetime],
    "FutureDatetime": [pydantic.FutureDatetime],
    "AwareDatetime": [pydantic.AwareDatetime],
    "NaiveDatetime": [pydantic.NaiveDatetime],
    "list": [list[int], pydantic.conlist(int), Annotated[list[int], Field(fail_fast=True)]],
    "set": [pydantic.conset(int), pydantic.confrozenset(int)],
    "bytes": [bytes, pydantic.conbytes(max_length=3)],
    "Json": [pydantic.Json],
    "SecretStr": [pydantic.SecretStr],
    "PaymentCardNumber": [pydantic.PaymentCardNumber] if hasattr(pydantic, "PaymentCardNumber") else [],
    "ByteSize": [pydantic.ByteSize],
    "timedelta": [datetime.timedelta],
    "Cat": [Cat],
    "IPvAnyAddress": [pydantic.IPvAnyAddress],
}

#: Parameters of Field that do not affect which values are valid or required.
NO_CONSTRAINTS = {
    "default", "default_factory", "alias", "alias_priority", "validation_alias", "serialization_alias", "title",
    "field_title_generator", "description", "examples", "exclude", "exclude_if", "deprecated", "json_schema_extra",
    "frozen", "validate_default", "repr", "init", "init_var", "kw_only", "extra",
}  # fmt: skip


def model_of(hint):
    return pydantic.create_model("Model", a=(hint, ...))


@pytest.mark.parametrize("hint, good, bad", [case for cases in TRANSLATED.values() for case in cases], ids=str)
def test_constraints_change_verdicts(hint, good, bad):
    models = [model_of(hint), dataclasses.make_dataclass("Data", [("a", hint)])]
    # A Python dataclass cannot forbid NaN.
    for model in models[: 1 if hint is D else 2]:
        rules = assay.Rules.from_model(model)
        for value in good:
            assert rules.check_record({"a": value}) == [], value
        for value in bad:
            assert [finding.column or "a" for finding in rules.check_record({"a": value})] == ["a"], value
    for value in [*good, *bad]:
        try:
            model_of(hint).model_validate({"a": value})
            is_valid = True
        except pydantic.ValidationError:
            is_valid = False
        assert is_valid == (value in good), value


@pytest.mark.parametrize("name, hint", [(name, hint) for name, hints in REFUSED.items() for hint in hints], ids=str)
def test_constraints_are_refused_by_name(name, hint):
    with pytest.raises(TypeError, match=name):
        assay.Rules.from_model(model_of(hint))
    with pytest.raises(TypeError, match=name):
        assay.Rules.from_model(dataclasses.make_dataclass("Data", [("a", hint)]))


@pytest.mark.parametrize("step", [0, -1, float("inf"), float("nan"), True])
def test_a_multiple_of_no_positive_number(step):
    """Tests steps that pydantic refuses."""
    for kind in (int, float, D):
        with pytest.raises(TypeError, match="'multiple_of'"):
            assay.Rules.from_model(dataclasses.make_dataclass("Data", [("a", Annotated[kind, at.MultipleOf(step)])]))
    with pytest.raises(TypeError, match="'multiple_of'"):
        assay.Rules.from_model(dataclasses.make_dataclass("Data", [("a", Annotated[str, at.MultipleOf(2)])]))


def test_no_constraint_is_overlooked():
    # The last three belong to types that are refused as a whole.
    named = set(TRANSLATED) | {name.strip("'") for name in REFUSED} | {"union_mode", "discriminator", "fail_fast"}
    parameters = set(inspect.signature(pydantic.Field).parameters)
    assert parameters - NO_CONSTRAINTS <= named
    strings = {field.name for field in dataclasses.fields(pydantic.StringConstraints)}
    assert strings <= named
    # These are not constraint classes, but names for predicates, and documentation.
    others = {"BaseMetadata", "GroupedMetadata", "DocInfo", "doc", "__version__"}
    sugar = {"Gt": "gt", "Ge": "ge", "Lt": "lt", "Le": "le", "MultipleOf": "multiple_of", "MinLen": "min_length",
             "MaxLen": "max_length"}
    predicates = {name for name in at.__all__
                  if typing.get_origin(getattr(at, name)[int] if name[:2] in ("Is", "Lo", "Up") else None)}
    assert {sugar.get(name, name) for name in at.__all__} - others - predicates <= named


def test_validators_and_configuration():
    class Validated(pydantic.BaseModel):
        a: int

        @pydantic.field_validator("a")
        @classmethod
        def no_zero(cls, value):
            return value

    class Full(pydantic.BaseModel):
        a: int

        @pydantic.model_validator(mode="after")
        def together(self):
            return self

    for model, name in ((Validated, "the validator 'no_zero'"), (Full, "the validator 'together'")):
        with pytest.raises(TypeError, match=f"the model {model.__name__!r} has {name}, which rules cannot express"):
            assay.Rules.from_model(model)
    for key in ("strict", "str_to_lower", "str_to_upper", "coerce_numbers_to_str"):
        with pytest.raises(TypeError, match=f"has {key!r} in its configuration"):
            assay.Rules.from_model(pydantic.create_model("M", __config__={key: True}, a=(str, ...)))
    model = pydantic.create_model("M", __config__={"str_max_length": 3, "extra": "forbid", "allow_inf_nan": False},
                                  a=(str, ...), b=(float, 1))
    rules = assay.Rules.from_model(model)
    assert [finding.rule for finding in rules.check_record({"a": "abcd", "b": "NaN"})] == ["a.maxLength", "b.finite"]
    assert json.loads(rules.json())["fieldsMatch"] == "superset"
    # Aliases are the names in the data.
    model = pydantic.create_model("M", a=(int, Field(alias="A")))
    assert assay.Rules.from_model(model).fields == ["A"]
    for field, words in ((Field(validation_alias=pydantic.AliasChoices("x", "y")), "'validation_alias'"),):
        with pytest.raises(TypeError, match=words):
            assay.Rules.from_model(pydantic.create_model("M", a=(int, field)))
    with pytest.raises(TypeError, match="two names, by 'populate_by_name'"):
        assay.Rules.from_model(pydantic.create_model("M", __config__={"populate_by_name": True},
                                                     a=(int, Field(alias="A"))))


def test_dataclasses_of_pydantic():
    @pydantic.dataclasses.dataclass
    class User:
        a: typing.Annotated[int, Field(gt=0)]
        b: int = 5

    rules = assay.Rules.from_model(User)
    assert [finding.rule for finding in rules.check_record({"a": -5})] == ["a.exclusiveMinimum"]
    # A naive datetime is valid.
    assert assay.Rules.from_model(model_of(datetime.datetime)).check(pl.DataFrame({"a": [MOMENT]})).ok
