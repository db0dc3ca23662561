"""The words on the boxes."""

from __future__ import annotations

import pytest

from app.drawing import labels
from engine.tracing.moments import GraphNode


def node(operation: str, *operands: str, name: str = "") -> GraphNode:
    return GraphNode("op:1.0", "op", name, operation, operands, "XBackward0", 1, (), "float32", True, "live")


@pytest.mark.parametrize(
    ("operation", "operands", "text"),
    [
        ("mul", ("w", "x"), "w * x"),
        ("add", ("", "b"), "+ b"),
        ("sub", ("", "target"), "− target"),
        ("sub", ("1.0", ""), "1 − ( )"),
        ("add", ("", ""), "( ) + ( )"),
        ("pow", ("", "2"), "( )²"),
        ("pow", ("x", "-1"), "x⁻¹"),
        ("pow", ("", "n"), "( ) ** n"),
        ("mm", ("x", "W"), "x @ W"),
        ("relu", ("",), "relu"),
        ("log_softmax", ("",), "log softmax"),
        ("something_new", ("",), "something new"),
        ("", (), "operation"),
    ],
)
def test_expressions(operation: str, operands: tuple[str, ...], text: str) -> None:
    assert labels.label(node(operation, *operands)) == text


def test_a_named_result_begins_with_its_name() -> None:
    assert labels.label(node("pow", "", "2", name="loss")) == "loss = ( )²"


def test_a_label_that_is_too_long_is_the_name() -> None:
    assert labels.title(node("binary_cross_entropy_with_logits", "logits", name="loss"), 14) == "loss"


def test_a_sum_or_product_keeps_its_sign_where_there_is_little_room() -> None:
    assert labels.title(node("mul", "head_a", "shared"), 14) == "head_a*shared"


def test_long_names_keep_their_end() -> None:
    assert labels.tail("model.0.weight", 11) == "…0.weight"
    assert labels.tail("model.0.weight", 9) == "…0.weight"
    assert labels.tail("classifier.bias", 7) == "…bias"
    assert labels.tail("generator.weight", 14) == "genera….weight"  # not the discriminator's
    assert labels.tail("net.generator.norm1.weight", 11) == "nor….weight"
    assert labels.tail("w", 11) == "w"
    assert len(labels.tail("a" * 40, 11)) == 11
    assert labels.cut("BinaryCrossEntropyWithLogitsBackward0", 19) == "BinaryCro…Backward0"


def test_what_only_reshapes_is_small() -> None:
    assert labels.is_small(node("t", "W"))
    assert not labels.is_small(node("mul", "a", "b"))


def test_a_long_name_of_a_parameter_is_told_on_two_lines() -> None:
    assert labels.two_lines("w") == ("", "w")
    assert labels.two_lines("generator.weight") == ("generator.", "weight")
    assert labels.two_lines("discriminator.weight") == ("discriminator.", "weight")
    assert labels.two_lines("params[17]") == ("params", "[17]")
    assert labels.two_lines("model.0.bias") == ("model.0.", "bias")
    assert labels.two_lines("model.encoder.layers.11.weight") == ("…yers.11.", "weight")
    assert labels.two_lines("layer.self_attn.in_proj_weight") == ("…lf_attn.", "in_proj_weight")


def test_what_is_cut_to_pixels_has_room() -> None:
    assert labels.cut_to("Linear · 1 operation", 116) == "Linear · 1 operation"
    brief = labels.cut_to("TransformerEncoderLayer", 116)
    assert "…" in brief
    assert labels.width(brief) <= 116 < labels.width("TransformerEncoderLayer")
