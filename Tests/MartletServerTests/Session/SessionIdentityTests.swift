/// Who says the hello, as a script: asked, known, refused, ended, changed.
import MartletEngine
import MartletProtocol
import MartletTestSupport
import MartletValues
import Testing

@testable import MartletServer

@Suite struct SessionIdentityTests {
  private static let known = Subject(origin: .unknownAddress, permissions: [.select])

  private func asking() -> SessionScript {
    var script = SessionScript()
    script.session = Session(
      limits: Limits(), greeting: SessionScript.greeting, subject: Subject(origin: .unknownAddress, permissions: []),
      mustIdentify: true, now: script.now)
    return script
  }

  @Test func `a hello is asked who says it, before anything is opened or any long frame is taken`() {
    for hello in [ClientMessage.Hello(database: "db", credential: "t"), .init(database: "db", setupFollows: true)] {
      var script = asking()
      #expect(script.receive(1, .hello(hello)) == [.identify(credential: hello.credential)])
      #expect(!script.session.takesFrames)
      var actions: [SessionAction] = []
      script.session.identified(Self.known, ends: nil, &actions)
      #expect(script.session.subject == Self.known)
      #expect(
        actions
          == (hello.setupFollows
            ? [.setFrameLimit(bytes: Limits().setupFrameBytesMax)]
            : [.pauseReading, .openDatabase(name: "db", create: false, setup: [])]))
    }
  }

  @Test func `a credential is asked about even where none is needed, and is kept nowhere`() {
    var script = SessionScript()
    #expect(
      script.receive(1, .hello(.init(database: "db", credential: "secret"))) == [.identify(credential: "secret")])
    #expect(!"\(script.session)".contains("secret"))
    var plain = SessionScript()
    #expect(plain.receive(1, .hello(.init(database: "db"))).first == .pauseReading)
  }

  @Test func `whoever is refused is told so when its time has come, in the one sentence, and the connection ends`() {
    var script = asking()
    _ = script.receive(1, .hello(.init(database: "db", credential: "wrong")))
    script.session.identityRefused(saidAt: script.now.advanced(milliseconds: 250))
    #expect(script.session.ignoresInput && !script.session.takesFrames)
    #expect(script.tick(afterMs: 200) == [])
    let told = script.tick(afterMs: 100)
    #expect(told == [.send(.error(RequestError.unknownIdentity), to: 1, step: 0), .finishWriting])
    #expect(script.tick(afterMs: Limits().lingerMs) == [.close(.unidentified)])
  }

  @Test func `whoever hangs up before he is told that he is refused takes no place any more`() {
    var script = asking()
    _ = script.receive(1, .hello(.init(database: "db", credential: "wrong")))
    script.session.identityRefused(saidAt: script.now.advanced(milliseconds: 5_000))
    #expect(script.peerClosed() == [.close(.peerClosed)])
  }

  @Test func `whoever hangs up while it waits is gone, and an answer that comes late changes nothing`() {
    var script = asking()
    _ = script.receive(1, .hello(.init(database: "db")))
    #expect(script.peerClosed() == [.close(.peerClosed)])
    var actions: [SessionAction] = []
    script.session.identified(Self.known, ends: nil, &actions)
    script.session.identityRefused(saidAt: script.now)
    script.session.identityRevoked(now: script.now, &actions)
    #expect(actions == [] && script.session.phase == .closed)
  }

  @Test func `a session whose identity ends finishes what is in flight and takes nothing new`() {
    var script = asking()
    _ = script.receive(1, .hello(.init(database: "db")))
    var actions: [SessionAction] = []
    script.session.identified(Self.known, ends: script.now.advanced(milliseconds: 1_000), &actions)
    _ = script.opened()
    _ = script.receive(2, .execute())
    #expect(script.tick(afterMs: 900) == [])
    #expect(script.tick(afterMs: 200) == [.send(.closing(DrainCause.identityEnded.sentence), to: 0, step: 0)])
    #expect(script.receive(3, .execute()).refusals == [3: .unauthenticated])
    let last = script.engine(.completed(Completion()), 2)
    #expect(last.contains(.finishWriting))
    #expect(script.tick(afterMs: Limits().lingerMs) == [.close(.identityEnded)])
  }

  @Test func `whoever may not have the database any more is told that, and not that its credential is invalid`() {
    var script = SessionScript.opened()
    var actions: [SessionAction] = []
    script.session.identityRevoked(.databaseTaken, now: script.now, &actions)
    #expect(actions.first == .send(.closing(RequestError.databaseTaken.message), to: 0, step: 0))
    #expect(!RequestError.databaseTaken.message.contains("credential"))
    #expect(script.tick(afterMs: Limits().lingerMs) == [.close(.databaseTaken)])
    #expect(script.session.subject.permissions.isEmpty)
  }

  @Test func `what an operator changes holds from the next request on, and what he revokes ends`() {
    var script = SessionScript.opened()
    script.session.permissionsChanged(Self.known, ends: nil)
    #expect(script.receive(2, .request(.inspect(shapes: 1, sessions: 1))).refusals == [2: .permission])
    #expect(script.receive(3, .request(.begin(.write))).refusals == [3: .permission])
    #expect(script.receive(4, .request(.begin(.read))).refusals == [:])
    var actions: [SessionAction] = []
    script.session.identityRevoked(now: script.now, &actions)
    #expect(actions == [.send(.closing(DrainCause.identityEnded.sentence), to: 0, step: 0)])
    #expect(script.session.phase == .draining(until: script.now.advanced(milliseconds: Limits().shutdownDrainMs)))
  }

  @Test func `a transport that fails gives the peer a moment to read why, at any time`() {
    for begin in [{ SessionScript() }, { SessionScript.opened() }] {
      var script = begin()
      var actions: [SessionAction] = []
      script.session.transportFailed(now: script.now, &actions)
      #expect(actions == [.finishWriting] && script.session.ignoresInput)
      actions = []
      script.session.transportFailed(now: script.now, &actions)
      #expect(actions == [])
      #expect(script.tick(afterMs: Limits().lingerMs) == [.close(.connectionFailed)])
    }
  }

  @Test func `a server that shuts down does not wait for those whom it asks`() {
    var script = asking()
    _ = script.receive(1, .hello(.init(database: "db")))
    #expect(script.shutDown().contains(.finishWriting))
  }
}
