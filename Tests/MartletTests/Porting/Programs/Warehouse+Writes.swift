/// Writes of the shop.
import Martlet

extension Warehouse {
  @HandTrialsBuilder static var updates: [HandTrial] {
    HandTrial(
      Item.where { $0.categoryID.is(nil) }.update {
        $0.categoryID = Category.where { $0.name.eq("tools") }.select(\.id)
      },
      "UPDATE items SET categoryID = (SELECT id FROM categories WHERE name = 'tools') WHERE categoryID IS NULL")
    HandTrial(
      Item.update { item in
        let id = item.id
        item.stock = Stock.where { $0.id.itemID.eq(id) }.select { $0.amount.sum() ?? 0 }
      },
      "UPDATE items SET stock = (SELECT coalesce(sum(amount), 0) FROM stocks WHERE itemID = items.id)")
    HandTrial(
      Category.update { category in
        let id = category.id
        category.total = Item.where { $0.categoryID.eq(id) }.count()
      },
      "UPDATE categories SET total = (SELECT count(*) FROM items WHERE categoryID = categories.id)")
    HandTrial(
      Category.update { category in
        let id = category.id
        category.total = Item.where { $0.categoryID.eq(id) }.select { $0.price.max() }.count()
      },
      "UPDATE categories SET total = (SELECT count(*) FROM (SELECT max(price) FROM items WHERE categoryID = "
        + "categories.id))")
    HandTrial(
      Item.where { item in
        item.price.eq(Item.as(Other.self).where { $0.categoryID.is(item.categoryID) }.select { $0.price.max() } ?? 0)
      }.update {
        $0.name += "!"
        $0.stock += 1
        $0.stock *= 2
      }.returning { ($0.id, $0.stock) },
      "UPDATE items SET name = name || '!', stock = (stock + 1) * 2 WHERE price = (SELECT max(price) FROM items o "
        + "WHERE o.categoryID IS items.categoryID) RETURNING id || ' ' || stock")
    HandTrial(
      Item.update(from: Stock.group { $0.id.itemID }.select { ($0.id.itemID, $0.amount) }.having { $0.count() > 0 }) {
        item, stock in
        item.stock = stock.amount
      } where: {
        $0.id.eq($1.id.itemID) && $1.id.shop.eq("b")
      },
      "UPDATE items SET stock = s.amount FROM (SELECT * FROM stocks GROUP BY itemID) AS s WHERE items.id = s.itemID "
        + "AND s.shop = 'b'")
    HandTrial(
      Item.update(from: Category.leftJoin(Category.as(Other.self).all) { $0.parentID.eq($1.id) }) { item, pair in
        item.name = pair.0.name + (pair.1.name ?? "-")
      } where: { item, pair in
        item.categoryID.eq(pair.0.id)
      },
      "UPDATE items SET name = c.name || ifnull(p.name, '-') FROM categories c LEFT JOIN categories p ON "
        + "c.parentID = p.id WHERE items.categoryID = c.id")
    HandTrial(
      Item.where { item in !Stock.where { $0.id.itemID.eq(item.id) }.exists() }.delete().returning(\.name),
      "DELETE FROM items WHERE NOT EXISTS (SELECT 1 FROM stocks WHERE itemID = items.id) RETURNING name")
    HandTrial(
      Item.delete().where { $0.id.notIn(Stock.where { $0.amount > 0 }.select { $0.id.itemID }) },
      "DELETE FROM items WHERE id NOT IN (SELECT itemID FROM stocks WHERE amount > 0)")
    HandTrial(
      Item.where { $0.categoryID.notIn([Int]()) }.delete(), "DELETE FROM items WHERE categoryID NOT IN ()")
    HandTrial(
      Item.where { $0.categoryID.notIn([2]) }.delete(), "DELETE FROM items WHERE categoryID NOT IN (2)")
    HandTrial(
      Stock.find(Stock.ID(shop: "a", itemID: 2)).update { $0.note = nil },
      "UPDATE stocks SET note = NULL WHERE shop "
        + "= 'a' AND itemID = 2")
    HandTrial(
      Stock.find([Stock.ID(shop: "a", itemID: 2), Stock.ID(shop: "b", itemID: 4)]).delete().returning(\.amount),
      "DELETE FROM stocks WHERE (shop, itemID) IN (VALUES ('a', 2), ('b', 4)) RETURNING '' || amount")
    HandTrial(
      Stock.update(Stock(id: Stock.ID(shop: "b", itemID: 1), amount: 8, note: nil)),
      "UPDATE stocks SET amount = 8, note = NULL WHERE shop = 'b' AND itemID = 1")
    HandTrial(
      Item.update {
        $0.price = Case($0.categoryID).when(2, then: 20).when(3, then: 30).else($0.price)
        $0.name = $0.name.upper()
      },
      "UPDATE items SET price = CASE categoryID WHEN 2 THEN 20 WHEN 3 THEN 30 ELSE price END, name = upper(name)")
  }

  @HandTrialsBuilder static var inserts: [HandTrial] {
    HandTrial(
      Item.insert {
        ($0.name, $0.price)
      } select: {
        Category.leftJoin(Item.all) { $0.id.eq($1.categoryID) }.order { ($0.id, $1.id) }
          .select { ($0.name, $1.price ?? 0) }
      },
      "INSERT INTO items (name, price) SELECT c.name, ifnull(i.price, 0) FROM categories c LEFT JOIN items i ON "
        + "c.id = i.categoryID ORDER BY c.id, i.id")
    HandTrial(
      Item.insert {
        ($0.name, $0.price)
      } select: {
        Item.select { ($0.name, $0.price) }.union(Category.select { ($0.name, $0.total) })
      }.returning(\.id),
      "INSERT INTO items (name, price) SELECT name, price FROM items UNION SELECT name, total FROM categories "
        + "RETURNING '' || id")
    HandTrial(
      Item.insert(or: .replace) { Item(id: 2, name: "new") },
      "INSERT OR REPLACE INTO items VALUES (2, 'new', 0, NULL, 0)")
    HandTrial(
      Item.insert(or: .ignore) { Item(id: 2, name: "new") }, "INSERT OR IGNORE INTO items (id, name) VALUES (2, 'n')")
    HandTrial(
      Stock.insert {
        Stock(id: Stock.ID(shop: "a", itemID: 1), amount: 5)
        Stock(id: Stock.ID(shop: "c", itemID: 1), amount: 7)
      } onConflict: {
        ($0.id.shop, $0.id.itemID)
      } doUpdate: {
        $0.amount += $1.amount
        $0.note = $1.id.shop
      },
      "INSERT INTO stocks VALUES ('a', 1, 5, NULL), ('c', 1, 7, NULL) ON CONFLICT (shop, itemID) DO UPDATE SET "
        + "amount = amount + excluded.amount, note = excluded.shop")
    HandTrial(
      Stock.insert {
        Stock(id: Stock.ID(shop: "a", itemID: 1), amount: 5)
        Stock(id: Stock.ID(shop: "a", itemID: 2), amount: 5)
      } onConflict: {
        $0.id
      } doUpdate: {
        $0.amount = $1.amount
      } where: {
        $0.amount < $1.amount
      }.returning(\.amount),
      "INSERT INTO stocks VALUES ('a', 1, 5, NULL), ('a', 2, 5, NULL) ON CONFLICT (shop, itemID) DO UPDATE SET "
        + "amount = excluded.amount WHERE stocks.amount < excluded.amount RETURNING '' || amount")
    HandTrial(
      Stock.upsert { Stock(id: Stock.ID(shop: "b", itemID: 4), amount: 3) },
      "INSERT INTO stocks VALUES ('b', 4, 3, NULL) ON CONFLICT (shop, itemID) DO UPDATE SET amount = 3, note = NULL")
    HandTrial(
      Item.upsert {
        Item.Draft(name: "first")
        Item.Draft(id: 2, name: "second", price: 1)
      }.returning { ($0.id, $0.name) },
      "INSERT INTO items VALUES (NULL, 'first', 0, NULL, 0), (2, 'second', 1, NULL, 0) ON CONFLICT (id) DO UPDATE SET "
        + "name = excluded.name, price = excluded.price, categoryID = excluded.categoryID, stock = excluded.stock "
        + "RETURNING id || ' ' || name")
    HandTrial(
      With {
        Item.group(by: \.categoryID).select {
          Cheap.Columns(categoryID: $0.categoryID, price: $0.price.min() ?? 0)
        }
      } query: {
        Item.where { item in
          Cheap.where { $0.categoryID.is(item.categoryID) && $0.price.eq(item.price) }.exists()
        }.update { $0.stock = 100 }.returning(\.id)
      },
      "WITH cheap(c, p) AS (SELECT categoryID, min(price) FROM items GROUP BY categoryID) UPDATE items SET stock = "
        + "100 WHERE EXISTS (SELECT 1 FROM cheap WHERE c IS categoryID AND p = price) RETURNING '' || id")
    HandTrial(
      Category.insert {
        ($0.name, $0.total)
      } values: {
        ("new", Item.select { $0.price.sum() ?? 0 })
      },
      "INSERT INTO categories (name, total) VALUES ('new', (SELECT sum(price) FROM items))")
  }
}
