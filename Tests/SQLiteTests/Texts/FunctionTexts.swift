import Foundation
import SQLite

/// Functions and what they print.
enum FunctionTexts {
  static var core: [PrintedText] {
    [
      ("abs(\"int\")", int.absoluteValue), ("abs(\"doubleOptional\")", doubleOptional.absoluteValue),
      ("round(\"double\")", double.round()), ("round(\"double\", 1)", double.round(1)),
      ("random()", Expression<Int>.random()), ("randomblob(1)", Expression<Blob>.random(1)),
      ("zeroblob(1)", Expression<Blob>.allZeros(1)), ("length(\"string\")", string.length),
      ("length(\"stringOptional\")", stringOptional.length), ("length(\"blob\")", blob.length),
      ("lower(\"string\")", string.lowercaseString), ("upper(\"stringOptional\")", stringOptional.uppercaseString),
      ("(\"string\" LIKE 'a%')", string.like("a%")), ("(\"stringOptional\" LIKE 'b%')", stringOptional.like("b%")),
      ("(\"string\" LIKE '%\\%' ESCAPE '\\')", string.like("%\\%", escape: "\\")),
      ("(\"string\" LIKE \"a\")", string.like(Expression<String>("a"))),
      ("('string' LIKE \"a\")", "string".like(Expression<String>("a"))),
      ("(\"string\" LIKE \"a\" ESCAPE '\\')", string.like(Expression<String>("a"), escape: "\\")),
      ("(\"string\" GLOB 'a*')", string.glob("a*")), ("(\"string\" MATCH 'a*')", string.match("a*")),
      ("(\"string\" REGEXP '^.+@.+\\.com$')", string.regexp("^.+@.+\\.com$")),
      ("(\"string\" COLLATE BINARY)", string.collate(.binary)),
      ("(\"string\" COLLATE NOCASE)", string.collate(.nocase)),
      ("(\"stringOptional\" COLLATE RTRIM)", stringOptional.collate(.rtrim)),
      ("(\"string\" COLLATE \"NODIACRITIC\")", string.collate(.custom("NODIACRITIC"))),
      ("ltrim(\"string\")", string.ltrim()), ("ltrim(\"string\", ' ')", string.ltrim([" "])),
      ("rtrim(\"string\")", string.rtrim()), ("trim(\"string\", ' -')", string.trim([" ", "-"])),
      ("replace(\"string\", '@example.com', '@example.net')", string.replace("@example.com", with: "@example.net")),
      ("substr(\"string\", 1)", string.substring(1)), ("substr(\"string\", 1, 2)", string.substring(1, length: 2)),
      ("substr(\"string\", 1, 2)", string[1..<3]),
      ("(\"string\" IN ('hello', 'world'))", ["hello", "world"].contains(string)),
      ("(\"stringOptional\" IN ('hello'))", ["hello"].contains(stringOptional)),
      ("(\"int\" IN ())", [Int]().contains(int)),
      ("ifnull(\"intOptional\", 1)", intOptional ?? 1), ("ifnull(\"intOptional\", \"int\")", intOptional ?? int),
      ("ifnull(\"intOptional\", \"intOptional\")", intOptional ?? intOptional),
    ]
  }

  static var aggregates: [PrintedText] {
    [
      ("count(*)", count(*)), ("count(\"int\")", int.count),
      ("count(DISTINCT \"intOptional\")", intOptional.distinct.count),
      ("max(\"int\")", int.max), ("min(\"string\")", string.min), ("avg(\"double\")", double.average),
      ("avg(DISTINCT \"int\")", int.distinct.average), ("sum(\"int\")", int.sum),
      ("sum(DISTINCT \"doubleOptional\")", doubleOptional.distinct.sum), ("total(\"double\")", double.total),
      ("group_concat(\"string\")", string.groupConcat()), ("group_concat(\"string\", '; ')", string.groupConcat("; ")),
    ]
  }

  static var windows: [PrintedText] {
    [
      ("ntile(1) OVER (ORDER BY \"int\" DESC)", ntile(1, int.desc)),
      ("row_number() OVER (ORDER BY \"int\" DESC)", rowNumber(int.desc)),
      ("rank() OVER (ORDER BY \"int\" DESC)", rank(int.desc)),
      ("dense_rank() OVER (ORDER BY \"int\" ASC)", denseRank(int.asc)),
      ("percent_rank() OVER (ORDER BY \"int\" DESC)", percentRank(int.desc)),
      ("cume_dist() OVER (ORDER BY \"int\" DESC)", cumeDist(int.desc)),
      ("lag(\"int\", 0) OVER (ORDER BY \"int\" DESC)", int.lag(int.desc)),
      ("lag(\"int\", 7) OVER (ORDER BY \"int\" DESC)", int.lag(offset: 7, int.desc)),
      (
        "lag(\"int\", 1, 3) OVER (ORDER BY \"int\" DESC)",
        int.lag(offset: 1, default: Expression<Int>(value: 3), int.desc)
      ),
      (
        "lead(\"int\", 1, 3) OVER (ORDER BY \"int\" DESC)",
        int.lead(offset: 1, default: Expression<Int>(value: 3), int.desc)
      ),
      ("first_value(\"int\") OVER (ORDER BY \"int\" DESC)", int.firstValue(int.desc)),
      ("last_value(\"int\") OVER (ORDER BY \"int\" DESC)", int.lastValue(int.desc)),
      ("nth_value(\"int\", 3) OVER (ORDER BY \"int\" DESC)", int.value(3, int.desc)),
      ("row_number() OVER (PARTITION BY \"string\" ORDER BY \"int\")", rowNumber(int, partition: [string])),
      (
        "sum(\"int\") OVER (PARTITION BY \"string\" ORDER BY \"int\" ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)",
        int.sum.over(int, partition: [string], frame: .rows(.preceding(1)))
      ),
    ]
  }

  static var dates: [PrintedText] {
    [
      ("date('now')", DateFunctions.date("now")),
      ("date('now', 'start of month')", DateFunctions.date("now", "start of month")),
      ("time('now', '+1 hour')", DateFunctions.time("now", "+1 hour")),
      ("datetime('now')", DateFunctions.datetime("now")),
      ("julianday('now')", DateFunctions.julianday("now")),
      ("strftime('%Y-%m-%d', 'now')", DateFunctions.strftime("%Y-%m-%d", "now")),
      ("date(\"date\")", date.date), ("time(\"date\")", date.time),
      ("datetime('1970-01-01T00:00:00.000')", Date(timeIntervalSince1970: 0).datetime),
    ]
  }
}
