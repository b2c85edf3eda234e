/// A `With` in the closure of another one: each closure's rows are those of its own table, at any depth.
import Martlet
import Testing

@Suite struct NestedCommonTableTests {
  private typealias Meant = EnclosingQueryTests.Meant

  /// Stages from a number on; of some, those that `among` has too.
  private static func later(
    than id: Int, among: CommonRows<Stage, FirstCommonTable>
  ) -> With<Int> {
    With {
      Stage.where { $0.id > id }
    } query: { later in
      later.where { $0.id.in(among.select(\.id)) }.select(\.id)
    }
  }

  private static var few: Select<Stage, Tables1<Stage>> { Stage.where { $0.id < 4 }.asSelect() }

  private static let meant: [Meant] = [
    Meant(
      "the inner closure reads both",
      With {
        few
      } query: { few in
        Stage.where { $0.id.in(later(than: 1, among: few)) }.select(\.id)
      }, "SELECT id FROM steps WHERE id < 4 AND id > 1"),
    Meant(
      "the inner closure reads the outer rows alone",
      With {
        few
      } query: { few in
        Stage.where {
          $0.id.in(
            With {
              Stage.where { $0.id > 3 }
            } query: { _ in
              few.select(\.id)
            })
        }.select(\.id)
      }, "SELECT id FROM steps WHERE id < 4"),
    Meant(
      "the inner table is made of the outer one",
      With {
        few
      } query: { few in
        Stage.where {
          $0.id.in(
            With {
              few.where { $0.id > 1 }
            } query: { later in
              later.select(\.id)
            })
        }.select(\.id)
      }, "SELECT id FROM steps WHERE id < 4 AND id > 1"),
    Meant(
      "three of them",
      With {
        few
      } query: { few in
        Stage.where {
          $0.id.in(
            With {
              Stage.where { $0.id > 1 }
            } query: { later in
              Stage.where { stage in
                stage.id.in(later.select(\.id)) && stage.id.in(Self.later(than: 2, among: few))
              }.select(\.id)
            })
        }.select(\.id)
      }, "SELECT id FROM steps WHERE id = 3"),
    Meant(
      "one that grows from its own rows",
      With {
        Stage.where { $0.id.eq(1) }
      } recursiveUnion: { grown in
        Stage.join(grown) { $0.id.eq($1.id + 1) }.where { stage, _ in
          stage.id.in(
            With {
              Stage.where { $0.id < 4 }
            } query: { few in
              few.select(\.id)
            })
        }.select { stage, _ in stage }
      } query: { grown in
        grown.where { $0.id.in(later(than: 1, among: grown)) }.select(\.id)
      }, "SELECT id FROM steps WHERE id < 4 AND id > 1"),
    Meant(
      "a join of both, of which one has another name",
      With {
        few
      } query: { few in
        Stage.where {
          $0.id.in(
            With {
              Stage.where { $0.id > 1 }
            } query: { later in
              later.as(Second.self).join(few) { $0.id.eq($1.id) }.select { later, _ in later.id }
            })
        }.select(\.id)
      }, "SELECT id FROM steps WHERE id < 4 AND id > 1"),
  ]

  @Test(arguments: DatabaseHome.allCases)
  func `each closure reads its own table`(_ home: DatabaseHome) throws {
    try home.open(EnclosingTables.script).read { db in
      for meant in Self.meant {
        #expect(meant.query.serialized.failure == nil, "\(meant.testDescription)")
        let expected = try SQLQueryExpression<Int>(QueryFragment(meant.sql)).fetchAll(db)
        #expect(!expected.isEmpty, "the SQL by hand tells nothing")
        #expect(try meant.query.fetchAll(db).sorted() == expected.sorted(), "\(meant.query)")
      }
    }
  }

  @Test(arguments: DatabaseHome.allCases)
  func `a write goes by its own table`(_ home: DatabaseHome) throws {
    try home.open(EnclosingTables.script).write { db in
      let all = try Stage.select(\.id).fetchAll(db)
      let deleted = try With {
        Self.few
      } query: { few in
        Stage.where { $0.id.in(Self.later(than: 1, among: few)) }.delete().returning(\.id)
      }.fetchAll(db)
      #expect(deleted.sorted() == [2, 3])
      #expect(try Stage.select(\.id).fetchAll(db) == all.filter { ![2, 3].contains($0) })
    }
  }

  @Test func `what one name would take for the other is refused`() {
    let statements: [(any Statement, String)] = [
      (
        With {
          Self.few
        } query: { few in
          With {
            Stage.where { $0.id > 1 }
          } query: { later in
            later.join(few) { $0.id.eq($1.id) }.select { later, _ in later.id }
          }.count()
        }, "as(Other.self)"
      ),
      (
        With {
          Self.few
        } query: { few in
          few.where { one in
            With {
              Stage.where { $0.id > 1 }
            } query: { later in
              later.where { $0.id.neq(one.id) }
            }.exists()
          }
        }, "as(Other.self)"
      ),
      (
        With {
          Self.few
        } query: { few in
          Stage.where {
            $0.id.in(
              With {
                Stage.where { $0.id > 1 }
              } query: { later in
                later.and(few).select(\.id)
              })
          }
        }, "rows of two common tables"
      ),
    ]
    for (statement, reason) in statements {
      let failure = statement.serialized.failure
      #expect(failure?.description.contains(reason) == true, "\(statement)")
    }
  }

  @Test func `a table that stands in no other is called as before`() {
    let one = With {
      Self.few
    } query: { few in
      few.select(\.id)
    }
    #expect(one.sql.contains("WITH \"cte1\" AS (") && one.sql.hasSuffix("FROM \"cte1\""))
    let two = With {
      Self.few
    } query: { few in
      Stage.where { $0.id.in(Self.later(than: 1, among: few)) }
    }
    #expect(two.sql.contains("WITH \"cte1_2\" AS (") && two.sql.contains("FROM \"cte1_2\" AS \"cte1\""))
  }
}
