import Foundation
import SQLite

/// Operators and what they print.
enum OperatorTexts {
  static var comparisons: [PrintedText] {
    [
      ("(\"int\" = \"int\")", int == int), ("(\"int\" = \"intOptional\")", int == intOptional),
      ("(\"intOptional\" = \"int\")", intOptional == int),
      ("(\"intOptional\" = \"intOptional\")", intOptional == intOptional), ("(\"int\" = 1)", int == 1),
      ("(\"intOptional\" = 1)", intOptional == 1), ("(1 = \"int\")", 1 == int),
      ("(1 = \"intOptional\")", 1 == intOptional), ("(\"intOptional\" IS NULL)", intOptional == nil),
      ("(NULL IS \"intOptional\")", nil == intOptional), ("(\"bool\" = 1)", bool == true),
      ("(\"string\" = 'it''s')", string == "it's"), ("(\"int\" IS \"intOptional\")", int === intOptional),
      ("(\"int\" IS 1)", int === 1), ("(\"intOptional\" IS NULL)", intOptional === nil),
      ("(\"int\" != 1)", int != 1), ("(\"intOptional\" IS NOT NULL)", intOptional != nil),
      ("(1 != \"intOptional\")", 1 != intOptional), ("(\"int\" IS NOT \"intOptional\")", int !== intOptional),
      ("(\"intOptional\" IS NOT 1)", intOptional !== 1), ("(\"int\" > 1)", int > 1),
      ("(\"int\" > \"intOptional\")", int > intOptional), ("(1 > \"intOptional\")", 1 > intOptional),
      ("(\"double\" >= 10000.0)", double >= 10_000), ("(\"intOptional\" < 1)", intOptional < 1),
      ("(\"string\" <= 'a')", string <= "a"),
      ("(\"date\" < '1970-01-01T00:00:00.000')", date < Date(timeIntervalSince1970: 0)),
    ]
  }

  static var ranges: [PrintedText] {
    [
      ("\"int\" BETWEEN 0 AND 5", 0...5 ~= int), ("\"intOptional\" BETWEEN 0 AND 5", 0...5 ~= intOptional),
      ("\"int\" >= 0 AND \"int\" < 5", 0..<5 ~= int), ("\"int\" <= 5", ...5 ~= int), ("\"int\" < 5", ..<5 ~= int),
      ("\"int\" >= 5", 5... ~= int), ("\"string\" BETWEEN 'a' AND 'b'", "a"..."b" ~= string),
      ("\"double\" >= 1.2", 1.2... ~= double),
    ]
  }

  static var arithmetic: [PrintedText] {
    [
      ("(\"int\" + \"int\")", int + int), ("(\"int\" + \"intOptional\")", int + intOptional),
      ("(\"int\" + 1)", int + 1), ("(1 + \"intOptional\")", 1 + intOptional), ("(\"double\" - 1.0)", double - 1),
      ("(\"double\" * \"doubleOptional\")", double * doubleOptional), ("(\"int\" / 2)", int / 2),
      ("(\"int\" % 2)", int % 2), ("(\"int\" << 1)", int << 1), ("(\"int\" >> 1)", int >> 1),
      ("(\"int\" & 1)", int & 1), ("(\"int\" | \"intOptional\")", int | intOptional),
      ("(~((\"int\" & \"int\")) & (\"int\" | \"int\"))", int ^ int), ("~(\"int\")", ~int), ("-(\"int\")", -int),
      ("-(\"doubleOptional\")", -doubleOptional), ("(\"string\" || 'hi')", string + "hi"),
      ("('hi' || \"stringOptional\")", "hi" + stringOptional),
      (
        "(((\"string\" || ' is ') || CAST (\"int\" AS TEXT)) || ' years old!')",
        string + " is " + cast(int) + " years old!"
      ),
      ("(((\"int\" + 1) + 2) * 3)", (int + 1 + 2) * 3), ("(\"int\" + (1 + \"int\"))", int + (1 + int)),
    ]
  }

  static var booleans: [PrintedText] {
    [
      ("(\"bool\" AND \"bool\")", bool && bool), ("(\"bool\" AND \"boolOptional\")", bool && boolOptional),
      ("(\"boolOptional\" OR 1)", boolOptional || true), ("(0 OR \"bool\")", false || bool),
      ("NOT (\"bool\")", !bool), ("NOT (\"boolOptional\")", !boolOptional),
      ("NOT ((\"int\" = 1))", !(int == 1)),
      ("(((\"int\" = 1) AND (\"int\" = 2)) AND (\"int\" = 3))", int == 1 && int == 2 && int == 3),
      ("((\"int\" = 1) OR ((\"int\" = 2) AND (\"int\" = 3)))", int == 1 || int == 2 && int == 3),
      ("(\"bool\" AND (\"int\" = 1) AND (\"int\" = 2))", and(bool, int == 1, int == 2)),
      ("(\"bool\")", and([bool])), ("(\"bool\" OR (\"int\" = 1))", or([bool, int == 1])),
      ("(\"bool\" OR (\"int\" = 1) OR (\"int\" = 2))", or([bool, int == 1, int == 2])),
    ]
  }

  static var setters: [PrintedText] {
    [
      ("\"int\" = 1", int <- 1), ("\"intOptional\" = NULL", intOptional <- nil), ("\"int\" = \"int\"", int <- int),
      ("\"intOptional\" = \"int\"", intOptional <- int), ("\"string\" = 'hello'", string <- "hello"),
      ("\"string\" = (\"string\" || 'hi')", string += "hi"), ("\"int\" = (\"int\" + 1)", int += 1),
      ("\"double\" = (\"double\" - 1.5)", double -= 1.5), ("\"double\" = (\"double\" * 2.0)", double *= 2),
      ("\"int\" = (\"int\" / 2)", int /= 2), ("\"int\" = (\"int\" % 2)", int %= 2),
      ("\"int\" = (\"int\" << 1)", int <<= 1), ("\"int\" = (\"int\" >> 1)", int >>= 1),
      ("\"int\" = (\"int\" & 1)", int &= 1), ("\"int\" = (\"int\" | 1)", int |= 1),
      ("\"int\" = (~((\"int\" & 1)) & (\"int\" | 1))", int ^= 1), ("\"int\" = (\"int\" + 1)", int++),
      ("\"intOptional\" = (\"intOptional\" - 1)", intOptional--),
      ("\"int\" = (\"int\" + \"int\")", int += int),
      ("\"intOptional\" = (\"intOptional\" + \"int\")", intOptional += int),
    ]
  }
}
