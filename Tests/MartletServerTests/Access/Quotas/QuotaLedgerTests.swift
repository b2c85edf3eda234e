/// Who uses how much, as scripts without a server.
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct QuotaLedgerTests {
  private static func at(_ ms: Int) -> MonotonicTime { MonotonicTime(nanoseconds: 1).advanced(milliseconds: ms) }

  private static func place(_ subject: UInt64, _ values: [Quota: Int], role: String = "app") throws -> QuotaPlace {
    try #require(QuotaPlace(subject: subject, role: role, RoleQuotas(values)))
  }

  private static func named(_ error: RequestError?) -> Quota? {
    guard let error else { return nil }
    #expect(error.reason == .quota && error.isRetryable)
    return Quota.allCases.first { error.message.contains("quota \($0.rawValue) ") }
  }

  @Test func `a role without such quotas has no place`() {
    #expect(QuotaPlace(subject: 1, role: "app", RoleQuotas()) == nil)
    #expect(QuotaPlace(subject: 1, role: "app", RoleQuotas([.resultRows: 5, .deadlineMs: 1])) == nil)
    #expect(QuotaPlace(subject: 1, role: "app", RoleQuotas([.requestBurst: 5])) == nil)
    let connections = QuotaPlace(subject: 1, role: "app", RoleQuotas([.connections: 5]))
    #expect(connections?.countsRequests == false)
  }

  @Test func `connections are counted for each subject and for the role, and come back`() throws {
    let quotas: [Quota: Int] = [.connections: 2, .roleConnections: 3]
    let (one, two) = (try Self.place(1, quotas), try Self.place(2, quotas))
    var ledger = QuotaLedger()
    #expect(ledger.entered(one, now: Self.at(0)) == nil && ledger.entered(one, now: Self.at(0)) == nil)
    #expect(Self.named(ledger.entered(one, now: Self.at(0))) == .connections)
    #expect(ledger.entered(two, now: Self.at(0)) == nil)
    #expect(Self.named(ledger.entered(two, now: Self.at(0))) == .roleConnections)
    ledger.left(one, inFlight: 0, now: Self.at(1))
    #expect(ledger.entered(two, now: Self.at(1)) == nil)
    for place in [one, two, two] { ledger.left(place, inFlight: 0, now: Self.at(2)) }
    #expect(ledger.subjectCount == 0 && ledger.roleUse(of: one) == (0, 0))
    // One too many does not make room for a further one.
    ledger.left(one, inFlight: 9, now: Self.at(2))
    #expect(ledger.use(of: one) == (0, 0))
  }

  @Test func `requests in flight are refused at the bound, and nothing is taken by a refusal`() throws {
    let quotas: [Quota: Int] = [.requestsInFlight: 2, .roleRequestsInFlight: 3, .requestsPerSecond: 100]
    let (one, two) = (try Self.place(1, quotas), try Self.place(2, quotas))
    var ledger = QuotaLedger()
    for place in [one, two] { #expect(ledger.entered(place, now: Self.at(0)) == nil) }
    for _ in 0..<2 { #expect(ledger.arrived(one, tokens: 1, now: Self.at(0)) == nil) }
    for _ in 0..<500 { #expect(Self.named(ledger.arrived(one, tokens: 1, now: Self.at(0))) == .requestsInFlight) }
    #expect(ledger.arrived(two, tokens: 1, now: Self.at(0)) == nil)
    #expect(Self.named(ledger.arrived(two, tokens: 1, now: Self.at(0))) == .roleRequestsInFlight)
    // The end of a transaction is counted and never refused; a ping is not in flight.
    #expect(ledger.arrived(one, tokens: 1, mustPass: true, now: Self.at(0)) == nil)
    #expect(ledger.arrived(one, tokens: 1, inFlight: 0, now: Self.at(0)) == nil)
    #expect(ledger.use(of: one) == (1, 3))
    ledger.inFlightChanged(one, by: -3)
    // The 500 that were refused cost no token.
    for _ in 0..<2 { #expect(ledger.arrived(one, tokens: 1, now: Self.at(0)) == nil) }
  }

  @Test func `a rate is each subject's own, and the role's is everybody's`() throws {
    let quotas: [Quota: Int] = [.requestsPerSecond: 10, .requestBurst: 2, .roleRequestsPerSecond: 5]
    let places = try (1...3).map { try Self.place($0, quotas) }
    var ledger = QuotaLedger()
    for place in places { #expect(ledger.entered(place, now: Self.at(0)) == nil) }
    func ask(_ index: Int, _ ms: Int) -> Quota? {
      Self.named(ledger.arrived(places[index], tokens: 1, inFlight: 0, now: Self.at(ms)))
    }
    #expect([ask(0, 0), ask(0, 0), ask(0, 0)] == [nil, nil, .requestsPerSecond])
    #expect([ask(1, 0), ask(1, 0), ask(1, 0)] == [nil, nil, .requestsPerSecond])
    #expect([ask(2, 0), ask(2, 0)] == [nil, .roleRequestsPerSecond])
    #expect(ask(0, 100) == .roleRequestsPerSecond)
    #expect(ask(0, 200) == nil)
  }

  @Test func `who connects anew has no more tokens, and who stays away long enough is forgotten`() throws {
    let place = try Self.place(1, [.requestsPerSecond: 1])
    var ledger = QuotaLedger()
    for round in 0..<100 {
      #expect(ledger.entered(place, now: Self.at(round)) == nil)
      let refusal = ledger.arrived(place, tokens: 1, inFlight: 0, now: Self.at(round))
      #expect(Self.named(refusal) == (round == 0 ? nil : .requestsPerSecond))
      ledger.left(place, inFlight: 0, now: Self.at(round))
    }
    #expect(ledger.subjectCount == 1)
    #expect(ledger.entered(place, now: Self.at(2_000)) == nil)
    ledger.left(place, inFlight: 0, now: Self.at(2_000))
    #expect(ledger.subjectCount == 0)
  }

  @Test func `ten thousand subjects come and go, and the table stays bounded`() throws {
    var ledger = QuotaLedger()
    let quotas: [Quota: Int] = [.connections: 1, .requestsInFlight: 1, .requestsPerSecond: 1]
    let present = try (1...10_000).map { try Self.place(UInt64($0), quotas) }
    for place in present {
      #expect(ledger.entered(place, now: Self.at(0)) == nil && ledger.arrived(place, tokens: 1, now: Self.at(0)) == nil)
    }
    #expect(ledger.total == (10_000, 10_000))
    // A hundred thousand more, each gone at once and without its token.
    for number in 0..<100_000 {
      let place = try Self.place(UInt64(1_000_000 + number), quotas)
      #expect(ledger.entered(place, now: Self.at(1)) == nil)
      #expect(ledger.arrived(place, tokens: 1, now: Self.at(1)) == nil)
      ledger.left(place, inFlight: 1, now: Self.at(1))
    }
    #expect(ledger.subjectCount <= 2 * (10_000 + QuotaLimits.absentMax) + 1 && ledger.total == (10_000, 10_000))
    for place in present { ledger.left(place, inFlight: 1, now: Self.at(5_000)) }
    #expect(ledger.total == (0, 0))
    // The next who comes to a large table finds those gone whose tokens are back.
    for number in 0..<60_000 {
      let place = try Self.place(UInt64(5_000_000 + number), quotas)
      #expect(ledger.entered(place, now: Self.at(9_000)) == nil)
      ledger.left(place, inFlight: 0, now: Self.at(9_000))
    }
    for number in 0..<50_000 {
      #expect(try ledger.entered(Self.place(UInt64(9_000_000 + number), quotas), now: Self.at(9_000)) == nil)
    }
    #expect(ledger.subjectCount == 50_000)
  }

  @Test func `a reload moves what is counted, beyond the new bound too, and to a role without quotas`() throws {
    let old = try Self.place(1, [.connections: 5, .requestsInFlight: 5, .requestsPerSecond: 10])
    let new = try Self.place(1, [.connections: 1, .requestsInFlight: 1, .requestsPerSecond: 10], role: "other")
    var ledger = QuotaLedger()
    for _ in 0..<3 {
      #expect(ledger.entered(old, now: Self.at(0)) == nil && ledger.arrived(old, tokens: 3, now: Self.at(0)) == nil)
    }
    for _ in 0..<3 { ledger.moved(from: old, inFlight: 1, to: new, inFlight: 1, now: Self.at(0)) }
    #expect(ledger.use(of: new) == (3, 3) && ledger.roleUse(of: old) == (0, 0) && ledger.roleUse(of: new) == (3, 3))
    #expect(Self.named(ledger.entered(new, now: Self.at(0))) == .connections)
    ledger.inFlightChanged(new, by: -3)
    // What was taken before is still taken.
    #expect(Self.named(ledger.arrived(new, tokens: 2, inFlight: 0, now: Self.at(0))) == .requestsPerSecond)
    for _ in 0..<3 { ledger.moved(from: new, inFlight: 0, to: nil, inFlight: 0, now: Self.at(900)) }
    #expect(ledger.subjectCount == 0 && ledger.total == (0, 0))
    ledger.moved(from: nil, inFlight: 0, to: old, inFlight: 2, now: Self.at(901))
    #expect(ledger.use(of: old) == (1, 2))
  }

  @Test func `random sessions leave nothing behind, whatever they do and however they end`() throws {
    var generator = SeededGenerator(seed: 23)
    var ledger = QuotaLedger()
    struct Session {
      var place: QuotaPlace
      var inFlight = 0
    }
    var sessions: [Session] = []
    var now = 0
    for _ in 0..<50_000 {
      now += Int.random(in: 0...3, using: &generator)
      let place = try Self.place(
        UInt64.random(in: 1...20, using: &generator),
        [.connections: 9, .requestsInFlight: 5, .requestsPerSecond: 50, .roleConnections: 60],
        role: ["a", "b"].randomElement(using: &generator) ?? "a")
      switch Int.random(in: 0..<10, using: &generator) {
      case 0...2: if ledger.entered(place, now: Self.at(now)) == nil { sessions.append(Session(place: place)) }
      case 3...5:
        guard let index = sessions.indices.randomElement(using: &generator) else { continue }
        if ledger.arrived(sessions[index].place, tokens: 1, now: Self.at(now)) == nil { sessions[index].inFlight += 1 }
      case 6:
        guard let index = sessions.indices.randomElement(using: &generator), sessions[index].inFlight > 0 else {
          continue
        }
        ledger.inFlightChanged(sessions[index].place, by: -1)
        sessions[index].inFlight -= 1
      case 7:
        guard let index = sessions.indices.randomElement(using: &generator) else { continue }
        let session = sessions[index]
        ledger.moved(
          from: session.place, inFlight: session.inFlight, to: place, inFlight: session.inFlight, now: Self.at(now))
        sessions[index].place = place
      default:
        guard let index = sessions.indices.randomElement(using: &generator) else { continue }
        let session = sessions.remove(at: index)
        ledger.left(session.place, inFlight: session.inFlight, now: Self.at(now))
      }
      #expect(ledger.total.inFlight == sessions.reduce(0) { $0 + $1.inFlight })
    }
    for session in sessions { ledger.left(session.place, inFlight: session.inFlight, now: Self.at(now + 2_000)) }
    #expect(ledger.total == (0, 0))
  }
}

extension QuotaLedger {
  fileprivate func use(of place: QuotaPlace) -> (connections: Int, inFlight: Int) {
    (subjects[place.subject]?.connections ?? 0, subjects[place.subject]?.inFlight ?? 0)
  }

  fileprivate func roleUse(of place: QuotaPlace) -> (connections: Int, inFlight: Int) {
    (roles[place.role]?.connections ?? 0, roles[place.role]?.inFlight ?? 0)
  }
}
