/// What `#sql` finds in its text, and what it and `#bind` expand to.
import Testing

@Suite struct SQLMessageTests {
  @Test(arguments: [
    (#"#sql("")"#, "1: Write SQL between the quotes."),
    (#"#sql("SELECT 'a")"#, "1: Close this ' with '."),
    (#"#sql("SELECT \"a")"#, "1: Close this \" with \"."),
    (#"#sql("SELECT [a")"#, "1: Close this [ with ]."),
    (#"#sql("SELECT a]")"#, "1: Remove this ], or open it with [."),
    (#"#sql("SELECT (1")"#, "1: Close this ( with )."),
    (#"#sql("SELECT 1)")"#, "1: Remove this ), or open it with (."),
    (#"#sql("SELECT /* 1")"#, "1: Close this comment with */."),
    (
      #"#sql("SELECT * FROM t WHERE a = '\(x)'")"#,
      #"1: Remove the quotes around \(x): the value is bound, not pasted into the text."#
        + #" → Remove the quotes around \(x)"#
    ),
    (
      #"#sql("a LIKE '%\(x)%'")"#,
      #"1: Write \(x) outside of the quotes: '%' || \(x) || '%'. The value is bound, not pasted into the text."#
    ),
    (
      #"#sql("SELECT \"\(name)\"")"#,
      #"1: Write the name as \(quote: …), which brings its own quotes, outside of "."#
    ),
    ("#sql(\"\"\"\nSELECT 'a'\nFROM (\n\"\"\")", "3: Close this ( with )."),
  ])
  func `half of a pair`(source: String, message: String) { #expect(Expansion(source).messages == [message]) }

  @Test(arguments: [
    #"#sql("SELECT 'it''s', \"a\"\"b\", [x'], `y'` -- don't (\n, (1)")"#,
    #"#sql("SELECT '(', ')' /* ' ( */")"#,
    ##"#sql(#"SELECT "a", '\n'"#)"##,
    #"#sql("SELECT '\(raw: x)' FROM \(Reminder.self) WHERE \(quote: name) = \(bind: y)")"#,
    #"#sql(fragment)"#,
  ])
  func `what SQLite can read is silent`(source: String) { #expect(Expansion(source).messages.isEmpty) }

  @Test func `the text stays as it is`() {
    #expect(
      Expansion(#"let a = #sql("x = \(y)", as: Int.self)"#).text
        == #"let a = MartletQuery.SQLQueryExpression("x = \(y)" as MartletQuery.QueryFragment, as: Int.self)"#)
    #expect(
      Expansion("let a = #bind(date, as: Date.UnixTimeRepresentation.self)").text
        == "let a = MartletQuery.BindQueryExpression(date, as: Date.UnixTimeRepresentation.self)")
    #expect(
      Expansion(#"#sql("SELECT '\(x)'")"#).fixed == #"#sql("SELECT \(x)")"#)
  }
}
