import SQLite

/// Queries and what they print.
enum QueryTexts {
  static var selects: [PrintedText] {
    [
      ("SELECT * FROM \"users\"", users), ("SELECT \"email\" FROM \"users\"", users.select(email)),
      ("SELECT \"email\", \"name\" FROM \"users\"", users.select(email, name)),
      ("SELECT * FROM \"users\"", users.select(*)), ("SELECT \"users\".* FROM \"users\"", users.select(users[*])),
      ("SELECT DISTINCT \"age\" FROM \"users\"", users.select(distinct: age)),
      ("SELECT DISTINCT \"email\", \"age\" FROM \"users\"", users.select(distinct: email, age)),
      ("SELECT DISTINCT * FROM \"users\"", users.select(distinct: *)),
      (
        "SELECT \"email\" FROM \"users\" WHERE (\"name\" IS NOT NULL) ORDER BY \"email\" DESC, \"name\" LIMIT 5 OFFSET 1",
        users.select(email).filter(name != nil).order(email.desc, name).limit(5, offset: 1)
      ),
      ("SELECT * FROM \"users\" WHERE (\"admin\" = 1)", users.filter(admin == true)),
      ("SELECT * FROM \"users\" WHERE \"admin\"", users.where(admin)),
      ("SELECT * FROM \"users\" WHERE ((\"age\" >= 35) AND \"admin\")", users.filter(age >= 35).filter(admin)),
      ("SELECT * FROM \"users\" GROUP BY \"age\" HAVING \"admin\"", users.group(age, having: admin)),
      (
        "SELECT * FROM \"users\" GROUP BY \"age\", \"admin\" HAVING (\"age\" >= 30)",
        users.group([age, admin], having: age >= 30)
      ),
      ("SELECT * FROM \"users\" ORDER BY \"age\" DESC", users.order(age).order(age.desc)),
      ("SELECT * FROM \"users\" LIMIT 5", users.limit(5)), ("SELECT * FROM \"users\"", users.limit(5).limit(nil)),
      ("SELECT * FROM \"attached\".\"users\"", Table("users", database: "attached")),
      ("SELECT count(*) FROM \"users\" WHERE \"admin\"", users.filter(admin).count),
      ("SELECT max(\"id\") FROM \"users\"", users.select(id.max)),
      ("SELECT EXISTS (SELECT * FROM \"users\")", users.exists),
      (
        "SELECT * FROM \"users\" WHERE (\"id\" IN (SELECT \"user_id\" FROM \"posts\"))",
        users.filter(posts.select(userId).contains(id))
      ),
      ("SELECT \"email\" AS \"address\" FROM \"users\"", users.select(email.alias("address"))),
    ]
  }

  static var joins: [PrintedText] {
    let managers = users.alias("managers")
    return [
      (
        "SELECT * FROM \"users\" INNER JOIN \"posts\" ON (\"posts\".\"user_id\" = \"users\".\"id\")",
        users.join(posts, on: posts[userId] == users[id])
      ),
      (
        "SELECT * FROM \"users\" LEFT OUTER JOIN \"posts\" ON (\"posts\".\"user_id\" = \"users\".\"id\")",
        users.join(.leftOuter, posts, on: posts[userId] == users[id])
      ),
      (
        "SELECT * FROM \"users\" INNER JOIN \"users\" AS \"managers\" ON (\"managers\".\"id\" = \"users\".\"manager_id\")",
        users.join(managers, on: managers[id] == users[managerId])
      ),
      (
        "SELECT * FROM \"users\" INNER JOIN \"posts\" ON ((\"posts\".\"user_id\" = \"users\".\"id\") AND \"published\")",
        users.join(posts.filter(published), on: posts[userId] == users[id])
      ),
      (
        "SELECT \"users\".\"email\", count(\"posts\".\"id\") FROM \"users\" LEFT OUTER JOIN \"posts\" ON (\"posts\".\"user_id\" = \"users\".\"id\") GROUP BY \"users\".\"id\"",
        users.select(users[email], posts[id].count).join(.leftOuter, posts, on: posts[userId] == users[id]).group(
          users[id])
      ),
      (
        "SELECT * FROM \"users\" INNER JOIN (SELECT * FROM \"posts\" LIMIT 1) AS \"posts\" ON (\"posts\".\"user_id\" = \"users\".\"id\")",
        users.join(posts.limit(1), on: posts[userId] == users[id])
      ),
    ]
  }

  static var unions: [PrintedText] {
    let cte = Table("cte")
    return [
      (
        "SELECT * FROM \"users\" WHERE (\"email\" = 'a@example.com') UNION SELECT * FROM \"users\" WHERE (\"age\" = 1) ORDER BY \"age\"",
        users.filter(email == "a@example.com").union(users.filter(age == 1)).order(age)
      ),
      ("SELECT * FROM \"users\" UNION ALL SELECT * FROM \"posts\"", users.union(all: true, posts)),
      ("WITH \"cte\" AS (SELECT * FROM \"users\") SELECT * FROM \"cte\"", cte.with(cte, as: users)),
      (
        "WITH \"cte\" (\"id\", \"email\") AS (SELECT \"id\", \"email\" FROM \"users\") SELECT * FROM \"cte\"",
        cte.with(cte, columns: [id, email], as: users.select(id, email))
      ),
      (
        "WITH RECURSIVE \"cte\" AS MATERIALIZED (SELECT * FROM \"users\" UNION ALL SELECT * FROM \"cte\") SELECT * FROM \"cte\"",
        cte.with(cte, recursive: true, hint: .materialized, as: users.union(all: true, cte))
      ),
    ]
  }

  static var writes: [PrintedText] {
    let alice = users.filter(id == 1)
    return [
      (
        "INSERT INTO \"users\" (\"email\", \"age\") VALUES ('alice@example.com', 30)",
        users.insert(email <- "alice@example.com", age <- 30)
      ),
      ("INSERT OR REPLACE INTO \"users\" (\"email\") VALUES ('a')", users.insert(or: .replace, email <- "a")),
      ("INSERT INTO \"users\" DEFAULT VALUES", users.insert()),
      (
        "INSERT INTO \"users\" (\"email\", \"age\") VALUES ('a', 1), ('b', 2)",
        users.insertMany([[email <- "a", age <- 1], [age <- 2, email <- "b"]])
      ),
      (
        "INSERT OR IGNORE INTO \"users\" (\"email\") VALUES ('a'), ('b')",
        users.insertMany(or: .ignore, [[email <- "a"], [email <- "b"]])
      ),
      (
        "INSERT INTO \"emails\" SELECT \"email\" FROM \"users\" WHERE \"admin\"",
        Table("emails").insert(users.select(email).filter(admin))
      ),
      (
        "INSERT INTO \"users\" (\"email\", \"age\") VALUES ('a', 30) ON CONFLICT (\"email\") DO UPDATE SET \"age\" = \"excluded\".\"age\"",
        users.upsert(email <- "a", age <- 30, onConflictOf: email)
      ),
      (
        "INSERT INTO \"users\" (\"email\") VALUES ('a') ON CONFLICT (\"email\") DO UPDATE SET \"age\" = 2",
        users.upsert(email <- "a", onConflictOf: email, set: [age <- 2])
      ),
      ("UPDATE \"users\" SET \"age\" = 30, \"admin\" = 1 WHERE (\"id\" = 1)", alice.update(age <- 30, admin <- true)),
      ("UPDATE \"users\" SET \"age\" = 1", users.update(age <- 1)),
      ("DELETE FROM \"users\" WHERE (\"id\" = 1)", alice.delete()), ("DELETE FROM \"users\"", users.delete()),
      ("UPDATE \"users\" SET \"age\" = (\"age\" + 1) WHERE (\"id\" = 1)", alice.update(age++)),
    ]
  }
}
