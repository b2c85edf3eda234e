/// Queries of the shop.
import Martlet

extension Warehouse {
  @HandTrialsBuilder static var reads: [HandTrial] {
    HandTrial(
      Item.select { item in (item.id, Stock.where { $0.id.itemID.eq(item.id) }.select { $0.amount.max() }) },
      "SELECT id || ' ' || ifnull((SELECT max(amount) FROM stocks WHERE itemID = items.id), 'nil') FROM items")
    HandTrial(
      Item.where { $0.id.in([1, 2]) }.select { item in
        (item.id, Stock.where { $0.id.itemID.eq(item.id) }.order { $0.amount.desc() }.limit(1).select { $0.id.shop })
      },
      "SELECT id || ' ' || ifnull((SELECT shop FROM stocks WHERE itemID = items.id ORDER BY amount DESC LIMIT 1), "
        + "'nil') FROM items WHERE id IN (1, 2)")
    HandTrial(
      Category.where { category in
        Item.where { $0.categoryID.eq(category.id) }.count() > 1
          || Category.as(Other.self).where { $0.parentID.eq(category.id) }.exists()
      }.order(by: \.id).select(\.id),
      "SELECT '' || id FROM categories c WHERE (SELECT count(*) FROM items WHERE categoryID = c.id) > 1 OR EXISTS "
        + "(SELECT 1 FROM categories d WHERE d.parentID = c.id) ORDER BY id", isSorted: true)
    HandTrial(
      Item.group(by: \.categoryID).having { item in
        item.price.sum() > Item.as(Other.self).where { $0.id.eq(4) }.select { $0.price.max() } ?? 0
      }.order { ($0.price.sum().desc(), $0.categoryID) }.offset(1).select { ($0.categoryID, $0.price.sum()) },
      "SELECT ifnull(categoryID, 'nil') || ' ' || sum(price) FROM items GROUP BY categoryID HAVING sum(price) > "
        + "(SELECT max(price) FROM items WHERE id = 4) ORDER BY sum(price) DESC, categoryID LIMIT -1 OFFSET 1",
      isSorted: true)
    HandTrial(
      Item.where { $0.id.in(Item.as(Other.self).order { $0.price.desc() }.limit(2).select(\.id)) }.select(\.name),
      "SELECT name FROM items WHERE id IN (SELECT id FROM items ORDER BY price DESC LIMIT 2)")
    HandTrial(
      Item.where { $0.categoryID.in(Category.where { $0.id > 2 }.select(\.id).union(Values(2))) }.select(\.name),
      "SELECT name FROM items WHERE categoryID IN (SELECT id FROM categories WHERE id > 2 UNION SELECT 2)")
    HandTrial(
      Item.where { $0.id.in(Stock.group { $0.id.itemID }.having { $0.count() > 1 }.select { $0.id.itemID }) }
        .select(\.name),
      "SELECT name FROM items WHERE id IN (SELECT itemID FROM stocks GROUP BY itemID HAVING count(*) > 1)")
    HandTrial(
      Item.where { !$0.categoryID.in([2, 3]) || $0.categoryID.is(nil) }.select(\.id),
      "SELECT '' || id FROM items WHERE NOT (categoryID IN (2, 3)) OR categoryID IS NULL")
    HandTrial(
      Item.where { $0.categoryID.in([Int]()) }.select(\.id), "SELECT '' || id FROM items WHERE categoryID IN ()")
    HandTrial(
      Item.where { !$0.categoryID.in([Int]()) }.select(\.id),
      "SELECT '' || id FROM items WHERE NOT (categoryID IN ())")
    HandTrial(
      With {
        Category.where { $0.parentID.is(nil) }.select { Level.Columns(id: $0.id, path: $0.name) }
          .union(
            all: true,
            Category.join(Level.all) { $0.parentID.eq($1.id) }
              .select { Level.Columns(id: $0.id, path: $1.path + "/" + $0.name) })
      } query: {
        Level.leftJoin(Item.all) { $0.id.eq($1.categoryID) }.order { ($0.path, $1.id) }
          .select { ($0.path, $1.name) }
      },
      "WITH RECURSIVE l(id, path) AS (SELECT id, name FROM categories WHERE parentID IS NULL UNION ALL SELECT c.id, "
        + "l.path || '/' || c.name FROM categories c JOIN l ON c.parentID = l.id) SELECT path || ' ' || ifnull(i.name,"
        + " 'nil') FROM l LEFT JOIN items i ON l.id = i.categoryID ORDER BY path, i.id", isSorted: true)
  }

  @HandTrialsBuilder static var shapes: [HandTrial] {
    HandTrial(
      Item.order(by: \.id).select { ($0.id, $0.price.lag(1, default: -1).over(.order(by: $0.price, $0.id))) },
      "SELECT id || ' ' || lag(price, 1, -1) OVER (ORDER BY price, id) FROM items ORDER BY id", isSorted: true)
    HandTrial(
      Item.order(by: \.id).select {
        (
          $0.id,
          $0.price.sum().over(
            Window.partition(by: $0.categoryID).order(by: $0.id).rows(.unboundedPreceding, .currentRow))
        )
      },
      "SELECT id || ' ' || sum(price) OVER (PARTITION BY categoryID ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND "
        + "CURRENT ROW) FROM items ORDER BY id", isSorted: true)
    HandTrial(
      Item.order(by: \.id).window("w") { .order(by: $0.price) }
        .select { (rank().over("w"), $0.price.count(filter: $0.id > 2).over("w")) },
      "SELECT rank() OVER w || ' ' || count(price) FILTER (WHERE id > 2) OVER w FROM items WINDOW w AS (ORDER BY "
        + "price) ORDER BY id", isSorted: true)
    HandTrial(
      Category.leftJoin(Item.all) { $0.id.eq($1.categoryID) }.group { category, _ in category.id }
        .order { category, _ in category.id }
        .select { ($0.id, $1.name.groupConcat(separator: ",", order: { $0.desc() })) },
      "SELECT c.id || ' ' || ifnull((SELECT group_concat(name, ',') FROM (SELECT name FROM items WHERE categoryID = "
        + "c.id ORDER BY name DESC)), 'nil') FROM categories c ORDER BY id", isSorted: true)
    HandTrial(
      Category.leftJoin(Item.all) { $0.id.eq($1.categoryID) }.group { category, _ in category.id }
        .order { category, _ in category.id }.select { ($1.id.count(), $1.price.sum()) },
      "SELECT count(i.id) || ' ' || ifnull(sum(i.price), 'nil') FROM categories c LEFT JOIN items i ON c.id = "
        + "i.categoryID GROUP BY c.id ORDER BY c.id", isSorted: true)
    HandTrial(
      Item.select(\.price).distinct().order { ($0.price.desc()) }.limit(2, offset: 1),
      "SELECT DISTINCT '' || price FROM items ORDER BY price DESC LIMIT 2 OFFSET 1", isSorted: true)
    HandTrial(
      Item.where { RowValue($0.price, $0.stock).in([(3, 0), (5, 1)]) }.select(\.id),
      "SELECT '' || id FROM items WHERE (price, stock) IN (VALUES (3, 0), (5, 1))")
    HandTrial(
      Item.order { ($0.categoryID.desc(nulls: .first), $0.name.collate(.nocase)) }.select { ($0.categoryID, $0.name) },
      "SELECT ifnull(categoryID, 'nil') || ' ' || name FROM items ORDER BY categoryID DESC NULLS FIRST, name COLLATE "
        + "NOCASE", isSorted: true)
    HandTrial(
      Item.select(\.price).except(Item.where { $0.id < 3 }.select(\.price)).union(all: true, Values(3))
        .order(byColumn: 1).limit(2),
      "SELECT '' || p FROM (SELECT price AS p FROM items EXCEPT SELECT price FROM items WHERE id < 3 UNION ALL SELECT "
        + "3 ORDER BY 1 LIMIT 2)", isSorted: true)
    // What is left out of a compound is left out before another query joins it.
    HandTrial(
      Item.select(\.id).union(Values(9)).offset(2).union(Values(1)),
      "SELECT '' || id FROM (SELECT * FROM (SELECT id FROM items UNION SELECT 9 LIMIT -1 OFFSET 2) UNION SELECT 1)")
    HandTrial(
      Item.all.page(after: Item(id: 3, name: "oats", price: 3), size: 2) { $0.price }.select(\.id),
      "SELECT '' || id FROM items WHERE (price, id) > (3, 3) ORDER BY price, id LIMIT 2", isSorted: true)
    HandTrial(
      Stock.all.page(after: Stock(id: Stock.ID(shop: "a", itemID: 2), amount: 6), size: 2).select {
        ($0.id.shop, $0.amount)
      },
      "SELECT shop || ' ' || amount FROM stocks WHERE (shop, itemID) > ('a', 2) ORDER BY shop, itemID LIMIT 2",
      isSorted: true)
  }
}
