/// What the macros expand to, in full: what a person sees who expands one.
///
/// Always true: the order of the columns is that of the properties in every member.
import Testing

@Suite struct ExpansionTests {
  @Test func `a keyed table`() {
    let expansion = Expansion(
      """
      @Table
      public struct Reminder: Identifiable, Hashable {
        public let id: Int
        public var title = ""
        var timestamps: Timestamps?
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.text == #"""
        public struct Reminder: Identifiable, Hashable {
          public let id: Int
          public var title = ""
          var timestamps: Timestamps?

          public typealias QueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, Reminder>

          public typealias OptionalQueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, Reminder?>

          public nonisolated static var columns: TableColumns {
            TableColumns()
          }

          public nonisolated static var tableName: String {
            "reminders"
          }

          public nonisolated struct TableColumns: MartletQuery.PrimaryKeyedTableDefinition {
            public typealias QueryValue = Reminder
            public var id: Int.QueryColumn<Reminder> {
              .init(column: "id")
            }
            public var title: String.QueryColumn<Reminder> {
              .init(column: "title")
            }
            var timestamps: Timestamps.OptionalQueryColumn<Reminder> {
              .init(column: "timestamps")
            }
            public var primaryKey: Int.QueryColumn<Reminder> {
              id
            }
            public init() {
            }
            public static let allColumns: [MartletQuery.ColumnDescription] = {
              var columns: [MartletQuery.ColumnDescription] = []
              columns += MartletQuery.ColumnDescription.columns("id", of: Int.self, primaryKey: true)
              columns += MartletQuery.ColumnDescription.columns("title", of: String.self)
              columns += MartletQuery.ColumnDescription.columns("timestamps", of: (Timestamps?).self)
              return columns
            }()
          }

          public nonisolated static var columnWidth: Int {
            var width = 0
            width += Int.columnWidth
            width += String.columnWidth
            width += (Timestamps?).columnWidth
            return width
          }

          public nonisolated var columnFragments: [MartletQuery.QueryFragment] {
            var fragments: [MartletQuery.QueryFragment] = []
            fragments.reserveCapacity(Self.columnWidth)
            Int.bind(self.id, into: &fragments)
            String.bind(self.title, into: &fragments)
            (Timestamps?).bind(self.timestamps, into: &fragments)
            return fragments
          }

          public nonisolated struct Columns: MartletQuery.QueryExpression {
            public typealias QueryValue = Reminder

            public let columnFragments: [MartletQuery.QueryFragment]

            public var queryFragment: MartletQuery.QueryFragment {
              MartletQuery.QueryFragment(row: columnFragments)
            }

            init(
              id: some MartletQuery.QueryExpression<Int>,
              title: some MartletQuery.QueryExpression<String> = String(queryOutput: ""),
              timestamps: some MartletQuery.QueryExpression<Timestamps?> = (Timestamps?)(queryOutput: nil)
            ) {
              var fragments: [MartletQuery.QueryFragment] = []
              fragments += id.columnFragments(named: "id")
              fragments += title.columnFragments(named: "title")
              fragments += timestamps.columnFragments(named: "timestamps")
              columnFragments = fragments
            }
          }

          public typealias Selection = Columns

          public nonisolated struct Draft: MartletQuery.TableDraft, Hashable {
            public typealias PrimaryTable = Reminder
            public typealias TableColumns = MartletQuery.DraftColumns<Reminder>

            public var id: Int?
            public var title: String
            var timestamps: Timestamps?

            init(
              id: Int? = nil,
              title: String = "",
              timestamps: Timestamps? = nil
            ) {
              self.id = id
              self.title = title
              self.timestamps = timestamps
            }

            public init(_ row: Reminder) {
              self.id = row.id
              self.title = row.title
              self.timestamps = row.timestamps
            }

            public static var columnWidth: Int {
              var width = 0
              width += (Int?).columnWidth
              width += String.columnWidth
              width += (Timestamps?).columnWidth
              return width
            }

            public var columnFragments: [MartletQuery.QueryFragment] {
              var fragments: [MartletQuery.QueryFragment] = []
              fragments.reserveCapacity(Self.columnWidth)
              (Int?).bind(self.id, into: &fragments)
              String.bind(self.title, into: &fragments)
              (Timestamps?).bind(self.timestamps, into: &fragments)
              return fragments
            }

            public init(decoder: inout some MartletQuery.QueryDecoder) throws {
              self.id = try decoder.value((Int?).self)
              self.title = try decoder.value(String.self)
              self.timestamps = try decoder.value((Timestamps?).self)
            }
          }
        }

        nonisolated extension Reminder: MartletQuery.Table, MartletQuery.DraftableTable, \#
        MartletQuery.PrimaryKeyedTable {
          public init(decoder: inout some MartletQuery.QueryDecoder) throws {
            self.id = try decoder.value(Int.self)
            self.title = try decoder.value(String.self)
            self.timestamps = try decoder.value((Timestamps?).self)
          }
        }
        """#)
  }

  @Test func `an enum of columns`() {
    let expansion = Expansion(
      """
      @Selection
      enum Kind {
        case link(URL)
        case image(Image)
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.text == #"""
        enum Kind {
          case link(URL)
          case image(Image)

          typealias QueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, Kind>

          typealias OptionalQueryColumn<Root: MartletQuery.Table> = MartletQuery.ColumnGroup<Root, Kind?>

          nonisolated static var columns: TableColumns {
            TableColumns()
          }

          nonisolated static var tableName: String {
            "kinds"
          }

          nonisolated struct TableColumns: MartletQuery.TableDefinition {
            typealias QueryValue = Kind
            var link: URL.OptionalQueryColumn<Kind> {
              .init(column: "link")
            }
            var image: Image.OptionalQueryColumn<Kind> {
              .init(column: "image")
            }
            init() {
            }
            static var allColumns: [MartletQuery.ColumnDescription] {
              Kind.caseColumns.flatMap {
                $0
              }
            }
          }

          nonisolated static let caseColumns: [[MartletQuery.ColumnDescription]] = {
            var cases: [[MartletQuery.ColumnDescription]] = []
            cases.append(MartletQuery.ColumnDescription.columns("link", of: (URL?).self))
            cases.append(MartletQuery.ColumnDescription.columns("image", of: (Image?).self))
            return cases
          }()

          nonisolated static var columnWidth: Int {
            var width = 0
            width += URL.columnWidth
            width += Image.columnWidth
            return width
          }

          nonisolated var columnFragments: [MartletQuery.QueryFragment] {
            var fragments: [MartletQuery.QueryFragment] = []
            fragments.reserveCapacity(Self.columnWidth)
            if case .link(let value) = self {
              (URL?).bind(value, into: &fragments)
            } else {
              (URL?).bind(nil, into: &fragments)
            }
            if case .image(let value) = self {
              (Image?).bind(value, into: &fragments)
            } else {
              (Image?).bind(nil, into: &fragments)
            }
            return fragments
          }

          nonisolated init(decoder: inout some MartletQuery.QueryDecoder) throws {
            let link = try decoder.value((URL?).self)
            let image = try decoder.value((Image?).self)
            if let link {
              self = .link(link);
              return
            }
            if let image {
              self = .image(image);
              return
            }
            throw MartletQuery.QueryDecodingError.missingRequiredColumn
          }

          nonisolated struct Columns: MartletQuery.QueryExpression {
            typealias QueryValue = Kind
            let columnFragments: [MartletQuery.QueryFragment]
            var queryFragment: MartletQuery.QueryFragment {
              MartletQuery.QueryFragment(row: columnFragments)
            }

            static func link(_ value: some MartletQuery.QueryExpression<URL>) -> Self {
              var fragments: [MartletQuery.QueryFragment] = []
              fragments += value.columnFragments(named: "link")
              fragments += (nil as Image?).columnFragments(named: "image")
              return Self(columnFragments: fragments)
            }

            static func image(_ value: some MartletQuery.QueryExpression<Image>) -> Self {
              var fragments: [MartletQuery.QueryFragment] = []
              fragments += (nil as URL?).columnFragments(named: "link")
              fragments += value.columnFragments(named: "image")
              return Self(columnFragments: fragments)
            }
          }

          typealias Selection = Columns
        }

        nonisolated extension Kind: MartletQuery.Table, MartletQuery.EnumTable {
        }
        """#)
  }

  @Test func `a function of one row`() {
    let expansion = Expansion(
      """
      @DatabaseFunction("shout")
      public func loud(_ text: String?, times: Int = 1) throws -> String? { text }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.text == #"""
        public func loud(_ text: String?, times: Int = 1) throws -> String? { text }

        public nonisolated struct _$loud: MartletQuery.ScalarDatabaseFunction {
          let function: @Sendable (String?, Int) throws -> String?

          public var name: String {
            "shout"
          }
          public var argumentCount: Int? {
            var count = 0
            count += String?.columnWidth
            count += Int.columnWidth
            return count
          }
          public var isDeterministic: Bool {
            false
          }

          public func callAsFunction<Argument0: MartletQuery.QueryExpression>(
            _ argument0: Argument0,
            times argument1: some MartletQuery.QueryExpression<Int> = Int(queryOutput: 1)
          ) -> MartletQuery.SQLQueryExpression<String?> where Argument0.QueryValue: \#
        MartletQuery.QueryRepresentable, Argument0.QueryValue.QueryOptional == St\#
        ring? {
            var arguments: [MartletQuery.QueryFragment] = []
            arguments += argument0.columnFragments
            arguments += argument1.columnFragments
            return MartletQuery.SQLQueryExpression(function: self.name, arguments)
          }

          public func invoke(_ decoder: inout some MartletQuery.QueryDecoder) throws -> MartletQuery.QueryBinding {
            let value0 = try decoder.value(String?.self)
            let value1 = try decoder.value(Int.self)
            let result = try self.function(value0, value1)
            return String?(queryOutput: result).queryBinding
          }
        }

        public nonisolated var $loud: _$loud {
          _$loud(function: loud(_:times:))
        }
        """#)
  }

  @Test func `a function of many rows`() {
    let expansion = Expansion(
      """
      struct Statistics {
        @DatabaseFunction
        static func mode(of rows: some Sequence<(Int, weight: Double)>) -> Int? { nil }
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.text == #"""
        struct Statistics {
          static func mode(of rows: some Sequence<(Int, weight: Double)>) -> Int? { nil }

          nonisolated struct _$mode: MartletQuery.AggregateDatabaseFunction {
            let function: @Sendable ([(Int, weight: Double)]) throws -> Int?

            var name: String {
              "mode"
            }
            var argumentCount: Int? {
              var count = 0
              count += Int.columnWidth
              count += Double.columnWidth
              return count
            }
            var isDeterministic: Bool {
              false
            }

            func callAsFunction(
              of argument0: some MartletQuery.QueryExpression<Int>,
              weight argument1: some MartletQuery.QueryExpression<Double>,
              distinct isDistinct: Bool = false,
              order: some MartletQuery.QueryExpression = MartletQuery.Unordered(),
              filter: some MartletQuery.QueryExpression<Bool> = MartletQuery.Unfiltered()
            ) -> MartletQuery.SQLQueryExpression<Int?> {
              var arguments: [MartletQuery.QueryFragment] = []
              arguments += argument0.columnFragments
              arguments += argument1.columnFragments
              return MartletQuery.SQLQueryExpression(aggregate: self.name, arguments, distinct: isDistinct, \#
        ordered: order, filtered: filter)
            }

            func step(_ decoder: inout some MartletQuery.QueryDecoder) throws -> (Int, weight: Double) {
              let value0 = try decoder.value(Int.self)
              let value1 = try decoder.value(Double.self)
              return (value0, value1)
            }

            func invoke(_ rows: some Sequence<(Int, weight: Double)>) throws -> MartletQuery.QueryBinding {
              let result = try self.function(Array(rows))
              return Int?(queryOutput: result).queryBinding
            }
          }

          nonisolated static var $mode: _$mode {
            _$mode(function: mode(of:))
          }
        }
        """#)
  }

  @Test func `what the database makes is not set by people`() {
    let text = Expansion(
      """
      @Table struct Event {
        @Column(generated: .stored) let day: Int
        @Column("at_", lazyInitializable: true) let at: Date
      }
      """
    ).text
    #expect(text.contains(#"columns += MartletQuery.ColumnDescription.columns("day", of: Int.self, generated: true)"#))
    #expect(text.contains(#".columns("at_", of: Date.self, property: "at", lazyInitializable: true)"#))
    #expect(text.contains("init(\n      at: Date? = nil\n    ) {"))
    #expect(text.contains("extension Event: MartletQuery.Table, MartletQuery.DraftableTable {"))
  }

  @Test func `beside a table a selection adds nothing`() {
    let alone = Expansion("@Table struct Row { let title: String }").text
    let both = Expansion("@Table @Selection struct Row { let title: String }").text
    #expect(alone == both)
    #expect(!alone.contains("Draft"))
  }

  @Test func `members are as visible as the type`() {
    #expect(
      Expansion("@Table package struct A { let x: Int }").text.contains("package nonisolated struct TableColumns"))
    #expect(!Expansion("@Table private struct A { let x: Int }").text.contains("private nonisolated"))
    #expect(
      Expansion("@Table struct A { private var x: Private }").text.contains("fileprivate var x: Private.QueryColumn<A>")
    )
  }

  @Test func `generic types store no static properties`() {
    #expect(Expansion("@Table struct A<B: C> { var x: B }").text.contains("static var allColumns"))
    #expect(Expansion("struct A<B> { @Table struct D { var x: Int } }").text.contains("static var allColumns"))
  }
}
