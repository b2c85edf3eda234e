/// What the parts of a program share: prepared for all of it, or changed around an operation.
import Foundation
import Martlet
import Testing

private struct Weather: Sendable {
  var isSunny: Bool
  let rain: Int
}

private enum WeatherKey: DependencyKey {
  static let liveValue = Weather(isSunny: true, rain: 0)
}

private enum NumberKey: DependencyKey {
  /// Made once, although it is not stored.
  static var liveValue: UUID { UUID() }
}

extension DependencyValues {
  fileprivate var weather: Weather {
    get { self[WeatherKey.self] }
    set { self[WeatherKey.self] = newValue }
  }

  fileprivate var number: UUID {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

private struct Picnic {
  @Dependency(\.weather) var weather
  @Dependency(\.date.now) var now
  @Dependency(NumberKey.self) var number
}

@Suite struct DependencyTests {
  @Test func `a dependency is its own value until something else is said`() {
    let picnic = Picnic()
    #expect(picnic.weather.isSunny)
    #expect(abs(picnic.now.timeIntervalSinceNow) < 3600)
    #expect(picnic.number == Picnic().number)
  }

  @Test func `an operation has its own, and the tasks that it starts have them too`() async {
    let picnic = Picnic()
    await withDependencies {
      $0.weather.isSunny = false
      $0.date.now = Date(timeIntervalSince1970: 7)
    } operation: {
      #expect(!picnic.weather.isSunny)
      #expect(picnic.now == Date(timeIntervalSince1970: 7))
      let inTask = await Task { Picnic().weather.isSunny }.value
      #expect(!inTask)
      withDependencies {
        $0.weather.isSunny = true
      } operation: {
        #expect(picnic.weather.isSunny)
        #expect(picnic.now == Date(timeIntervalSince1970: 7))
      }
    }
    #expect(picnic.weather.isSunny)
  }

  @Test func `what was declared in an operation keeps its dependencies`() {
    let picnic = withDependencies {
      $0.weather.isSunny = false
    } operation: {
      Picnic()
    }
    #expect(!picnic.weather.isSunny)
  }

  @Test func `what is prepared counts everywhere, and UUIDs count up for tests`() {
    enum Key: DependencyKey { static let liveValue = 1 }
    prepareDependencies { $0[Key.self] = 2 }
    #expect(DependencyValues()[Key.self] == 2)
    withDependencies {
      $0.uuid = .incrementing
    } operation: {
      @Dependency(\.uuid) var uuid
      #expect([uuid(), uuid()] == [UUID(0), UUID(1)])
    }
  }
}
