/// What a Martlet URL may look like, and what is said of one that may not.
import MartletValues
import Testing

@Suite struct MartletURLTests {
  @Test(arguments: [
    ("martlet://localhost/shop", "martlet://localhost:6278/shop"),
    ("martlet://localhost:1234/shop", "martlet://localhost:1234/shop"),
    ("martlet://localhost", "martlet://localhost:6278"),
    ("martlet://localhost:0/", "martlet://localhost:0"),
    ("martlet://10.0.0.1:65535/A_b-9", "martlet://10.0.0.1:65535/A_b-9"),
    ("martlet://[::1]/shop", "martlet://[::1]:6278/shop"),
    ("martlet+tls://db.example/shop", "martlet+tls://db.example:6278/shop"),
    ("martlet+tls://db.example:1234/shop", "martlet+tls://db.example:1234/shop"),
    ("martlet+tls://10.0.0.1", "martlet+tls://10.0.0.1:6278"),
    ("martlet+tls://[::1]:0/", "martlet+tls://[::1]:0"),
    ("martlet://[fe80::1]:99/shop", "martlet://[fe80::1]:99/shop"),
    ("martlet+unix:///run/martlet.sock?db=shop", "martlet+unix:///run/martlet.sock?db=shop"),
    ("martlet+unix:///run/martlet.sock", "martlet+unix:///run/martlet.sock"),
    ("martlet+unix:///a%20b/%C3%A9?db=x", "martlet+unix:///a%20b/%C3%A9?db=x"),
    ("martlet+unix:///a%3Fb%23c%25", "martlet+unix:///a%3Fb%23c%25"),
  ])
  func `a URL is printed in full and parses to itself`(text: String, printed: String) throws {
    let url = try MartletURL(text)
    #expect(url.description == printed)
    #expect(try MartletURL(url.description) == url)
  }

  @Test func `the parts of a URL are what it says`() throws {
    let url = try MartletURL("martlet://[::1]:77/shop")
    #expect(url.address == .tcp(host: "::1", port: 77))
    #expect(url.database == "shop")
    #expect(try MartletURL("martlet+unix:///a%20b?db=x").address == .unix(path: "/a b"))
    #expect(try url.with(database: "other").description == "martlet://[::1]:77/other")
  }

  @Test(arguments: [
    "", "shop", "http://localhost/shop", "martlet:/localhost", "martlet://", "martlet:///shop",
    "martlet://localhost:/shop", "martlet://localhost:99999/shop", "martlet://localhost:-1/shop",
    "martlet://localhost:+1/shop", "martlet://localhost:12x/shop", "martlet://::1/shop", "martlet://[::1/shop",
    "martlet://[::1]x/shop", "martlet://localhost/a/b", "martlet://localhost/a.b", "martlet://localhost/a b",
    "martlet://user@localhost/a", "martlet://localhost/a?x=1", "martlet://localhost/a#b",
    "martlet://localhost/" + String(repeating: "a", count: 65), "martlet://localhost/é", "martlet+unix://relative",
    "martlet+unix:///a?database=x", "martlet+unix:///a?db=x&y=z", "martlet+unix:///a?db=a/b", "martlet+unix:///a%0",
    "martlet+unix:///a%zz", "martlet+unix:///a%00b", "martlet+unix:///a%ff", "martlet+unix://",
  ])
  func `what is no URL is refused with a sentence`(text: String) {
    let error = #expect(throws: InvalidMartletURL.self) { try MartletURL(text) }
    #expect(error?.message.hasSuffix(".") == true)
  }
}
