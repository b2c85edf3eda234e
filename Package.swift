// swift-tools-version: 6.2
import CompilerPluginSupport
import PackageDescription

// The modules stand bottom-up: each names only what stands above it in this list. The compiler lets a module import
// what those below it import, so Tests/ProjectTests refuses an import that is not named here.

/// Every Swift target of the package is built with these.
let strict: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Packages that only these need: a program that embeds its databases turns both traits off and fetches none of them.
let forServer = TargetDependencyCondition.when(traits: ["Server"])
let forEither = TargetDependencyCondition.when(traits: ["Client", "Server"])

let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf", condition: forEither)

// Level 0: the doors to C.
let doors: [Target] = [
  // Both libraries have the calls of this header; which of the two is linked, MartletSQLite says by the trait.
  .systemLibrary(name: "CSQLite", path: "Sources/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(name: "CSQLiteLibrary", path: "Sources/CSQLiteLibrary", providers: [.apt(["libsqlite3-dev"])]),
  .systemLibrary(
    name: "CSQLCipherLibrary", path: "Sources/CSQLCipherLibrary", providers: [.apt(["libsqlcipher-dev"])]),
  .systemLibrary(
    name: "CLibuv", path: "Sources/CLibuv", pkgConfig: "libuv", providers: [.apt(["libuv1-dev"])]),
  .systemLibrary(
    name: "CProtobufC", path: "Sources/CProtobufC", pkgConfig: "libprotobuf-c",
    providers: [.apt(["libprotobuf-c-dev"])]),
  .systemLibrary(
    name: "COpenSSL", path: "Sources/COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
  .target(name: "CMartletProto", dependencies: ["CProtobufC"], path: "Sources/CMartletProto"),
  .target(name: "CMartletHash", path: "Sources/CMartletHash"),
  .target(name: "CMartletFiles", path: "Sources/CMartletFiles"),
  .target(name: "CMartletMemory", path: "Sources/CMartletMemory"),
  .target(name: "CMartletTOML", path: "Sources/CMartletTOML"),
]

// Level 1: values, protobuf's fields, SQLite, threads, the loop, TLS. None knows another.
let foundations: [Target] = [
  .target(name: "MartletValues", dependencies: ["CMartletHash"], swiftSettings: strict),
  .target(name: "MartletProtobuf", swiftSettings: strict),
  .target(
    name: "MartletSQLite", dependencies: ["CSQLite", "CSQLiteLibrary", "CSQLCipherLibrary", "CMartletMemory"],
    swiftSettings: strict),
  .target(name: "MartletThreads", swiftSettings: strict),
  .target(name: "MartletLoop", dependencies: ["CLibuv"], swiftSettings: strict),
  .target(name: "MartletTLS", dependencies: ["COpenSSL"], swiftSettings: strict),
]

// Level 2: what is said, as trees and as messages.
let languages: [Target] = [
  .target(name: "MartletAST", dependencies: ["MartletProtobuf", "MartletValues"], swiftSettings: strict),
  .target(name: "MartletProtocol", dependencies: ["MartletValues"], swiftSettings: strict),
]

// Level 3: the server's codec, typed queries to trees, and one request to rows.
let cores: [Target] = [
  .target(
    name: "MartletWire", dependencies: ["CMartletProto", "MartletProtocol", "MartletProtobuf", "MartletValues"],
    swiftSettings: strict),
  .target(
    name: "MartletQuery", dependencies: ["MartletAST", "MartletProtobuf", "MartletValues"], swiftSettings: strict),
  .target(
    name: "MartletEngine",
    dependencies: ["CMartletFiles", "MartletSQLite", "MartletThreads", "MartletAST", "MartletValues"],
    swiftSettings: strict),
]

// Level 4: many clients, and one client with a codec of its own.
let ends: [Target] = [
  .target(
    name: "MartletServer",
    dependencies: [
      "MartletLoop", "MartletTLS", "MartletThreads", "MartletWire", "MartletProtocol", "MartletEngine",
      "MartletValues",
      .product(name: "JWTKit", package: "jwt-kit", condition: forServer),
      .product(name: "Logging", package: "swift-log", condition: forServer),
    ],
    swiftSettings: strict),
  .target(
    name: "MartletClient",
    dependencies: [
      "MartletProtocol", "MartletProtobuf", "MartletAST", "MartletValues", "MartletThreads", protobuf,
      .product(name: "NIOCore", package: "swift-nio", condition: forEither),
      .product(name: "NIOPosix", package: "swift-nio", condition: forEither),
      .product(name: "NIOTLS", package: "swift-nio", condition: forEither),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: forEither),
    ],
    swiftSettings: strict),
]

// Level 5: the executable, whose product is `martlet`; one database for programs, embedded or remote; the macros.
let tops: [Target] = [
  .target(
    name: "MartletDatabase",
    dependencies: [
      "MartletQuery", .byName(name: "MartletClient", condition: .when(traits: ["Client"])), "MartletEngine",
      "MartletSQLite", "MartletThreads", "MartletAST", "MartletValues",
    ],
    swiftSettings: strict),
  .macro(
    name: "MartletMacros",
    dependencies: [
      .product(name: "SwiftCompilerPlugin", package: "swift-syntax"),
      .product(name: "SwiftDiagnostics", package: "swift-syntax"),
      .product(name: "SwiftIfConfig", package: "swift-syntax"),
      .product(name: "SwiftParser", package: "swift-syntax"),
      .product(name: "SwiftSyntax", package: "swift-syntax"),
      .product(name: "SwiftSyntaxBuilder", package: "swift-syntax"),
      .product(name: "SwiftSyntaxMacros", package: "swift-syntax"),
    ],
    swiftSettings: strict),
  .executableTarget(
    name: "MartletCommand",
    dependencies: [
      "MartletServer", "MartletClient", "MartletEngine", "MartletLoop", "MartletTLS", "MartletThreads", "MartletWire",
      "MartletProtocol", "MartletProtobuf", "MartletAST", "MartletValues", "MartletSQLite", "CMartletTOML",
      .product(name: "NIOConcurrencyHelpers", package: "swift-nio", condition: forEither),
      .product(name: "NIOCore", package: "swift-nio", condition: forEither),
      .product(name: "NIOHTTP1", package: "swift-nio", condition: forEither),
      .product(name: "NIOPosix", package: "swift-nio", condition: forEither),
      .product(name: "ArgumentParser", package: "swift-argument-parser", condition: forServer),
      .product(name: "Histogram", package: "hdrhistogram-swift", condition: forServer),
      .product(name: "Logging", package: "swift-log", condition: forServer),
    ],
    swiftSettings: strict),
]

// Level 6: what Swift programs import: the library with its macros, and typed SQL without them.
let library: [Target] = [
  .target(
    name: "Martlet", dependencies: ["MartletDatabase", "MartletQuery", "MartletMacros"], swiftSettings: strict),
  .target(
    name: "SQLite",
    dependencies: ["MartletDatabase", "MartletQuery", "MartletSQLite", "MartletAST", "MartletValues"],
    swiftSettings: strict),
]

// Measure the figures of the README and of docs/DATABASE.md; no product imports them.
let benchmarks: [Target] = [
  .executableTarget(
    name: "MartletBenchmarks", dependencies: ["MartletClient", "MartletValues", "CSQLite", "CSQLiteLibrary"],
    path: "Benchmarks",
    exclude: ["Query", "Allocations", "CompileTime"], swiftSettings: strict),
  .target(name: "CAllocations", path: "Benchmarks/Allocations"),
  .executableTarget(
    name: "MartletQueryBenchmarks",
    dependencies: [
      "CAllocations",
      "MartletDatabase", "MartletQuery", "MartletServer", "MartletValues", "SQLite", "CSQLite",
      .product(name: "Logging", package: "swift-log", condition: forServer),
    ],
    path: "Benchmarks/Query", swiftSettings: strict),
]

// What tests share, and the tests of each module; EndToEndTests need several, and ProjectTests read the files.
let tests: [Target] = [
  .target(
    name: "MartletTestSupport",
    dependencies: [
      "MartletServer", "MartletClient", "MartletTLS", "MartletProtocol", "MartletProtobuf", "MartletEngine",
      "MartletSQLite", "MartletAST", "MartletValues", "CSQLite", protobuf,
      .product(name: "JWTKit", package: "jwt-kit", condition: forServer),
      .product(name: "Logging", package: "swift-log", condition: forServer),
    ],
    path: "Tests/MartletTestSupport", swiftSettings: strict),
  .testTarget(
    name: "MartletASTTests",
    dependencies: [
      "MartletAST", "MartletProtobuf", "MartletValues", "MartletSQLite", "CSQLite", "MartletTestSupport", protobuf,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "MartletValuesTests", dependencies: ["MartletValues", "CMartletHash", "MartletTestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "MartletProtobufTests", dependencies: ["MartletProtobuf", "MartletTestSupport"], swiftSettings: strict),
  .testTarget(name: "MartletSQLiteTests", dependencies: ["MartletSQLite"], swiftSettings: strict),
  .testTarget(
    name: "MartletQueryTests",
    dependencies: [
      "CAllocations", "MartletQuery", "MartletAST", "MartletValues", "MartletSQLite", "MartletTestSupport", protobuf,
    ],
    swiftSettings: strict),
  .testTarget(name: "MartletThreadsTests", dependencies: ["MartletThreads"], swiftSettings: strict),
  .testTarget(
    name: "MartletProtocolTests", dependencies: ["MartletProtocol", "MartletValues"], swiftSettings: strict),
  .testTarget(name: "MartletLoopTests", dependencies: ["MartletLoop"], swiftSettings: strict),
  .testTarget(
    name: "MartletTLSTests", dependencies: ["MartletTLS", "MartletTestSupport", "COpenSSL"], swiftSettings: strict),
  .testTarget(
    name: "MartletWireTests",
    dependencies: [
      "MartletWire", "MartletClient", "MartletProtocol", "MartletProtobuf", "MartletAST", "MartletValues",
      "MartletTestSupport", protobuf,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "MartletEngineTests",
    dependencies: ["MartletEngine", "MartletSQLite", "MartletAST", "MartletValues", "MartletTestSupport"],
    swiftSettings: strict),
  .testTarget(
    name: "MartletServerTests",
    dependencies: [
      "MartletServer", "MartletClient", "MartletLoop", "MartletTLS", "MartletWire", "MartletProtocol",
      "MartletProtobuf", "MartletEngine", "MartletAST", "MartletValues", "MartletTestSupport", protobuf,
    ],
    swiftSettings: strict),
  .testTarget(
    name: "MartletClientTests",
    dependencies: [
      "MartletClient", "MartletProtocol", "MartletProtobuf", "MartletAST", "MartletValues", "MartletTestSupport",
      protobuf,
      .product(name: "NIOCore", package: "swift-nio", condition: forEither),
      .product(name: "NIOPosix", package: "swift-nio", condition: forEither),
      .product(name: "NIOSSL", package: "swift-nio-ssl", condition: forEither),
    ],
    swiftSettings: strict),
  .testTarget(
    name: "MartletCommandTests",
    dependencies: [
      "MartletCommand", "MartletServer", "MartletClient", "MartletProtocol", "MartletSQLite", "MartletAST",
      "MartletValues", "MartletTestSupport",
      .product(name: "ArgumentParser", package: "swift-argument-parser", condition: forServer),
      .product(name: "Logging", package: "swift-log", condition: forServer),
    ], swiftSettings: strict),
  .testTarget(
    name: "EndToEndTests",
    dependencies: [
      "MartletServer", "MartletClient", "MartletTLS", "MartletEngine", "MartletWire", "MartletProtocol",
      "MartletSQLite",
      "MartletQuery", "MartletAST", "MartletValues", "MartletTestSupport", protobuf,
      .product(name: "Logging", package: "swift-log", condition: forServer),
    ],
    swiftSettings: strict),
  .testTarget(
    name: "MartletDatabaseTests",
    dependencies: [
      "MartletDatabase", "MartletQuery", "MartletClient", "MartletServer", "MartletEngine", "MartletSQLite",
      "MartletThreads", "MartletAST", "MartletValues", "MartletTestSupport",
      .product(name: "Logging", package: "swift-log", condition: forServer),
    ],
    swiftSettings: strict),
  .testTarget(
    name: "MartletTests",
    dependencies: [
      "Martlet", "MartletDatabase", "MartletQuery", "MartletAST", "MartletValues", "MartletSQLite",
      "MartletTestSupport",
    ],
    exclude: ["Refused/Sources", "AcrossFiles/Sources"], swiftSettings: strict),
  .testTarget(
    name: "MartletMacrosTests", dependencies: ["Martlet", "MartletTestSupport"], exclude: ["Snapshots"],
    swiftSettings: strict),
  .testTarget(
    name: "SQLiteTests",
    dependencies: [
      "SQLite", "MartletDatabase", "MartletQuery", "MartletSQLite", "MartletValues", "MartletTestSupport",
    ],
    swiftSettings: strict),
  .testTarget(name: "ProjectTests", dependencies: ["MartletTestSupport"], swiftSettings: strict),
]

let package = Package(
  name: "martlet",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "martlet", targets: ["MartletCommand"]),
    .executable(name: "martlet-benchmarks", targets: ["MartletBenchmarks"]),
    .executable(name: "martlet-query-benchmarks", targets: ["MartletQueryBenchmarks"]),
    .library(name: "Martlet", targets: ["Martlet"]),
    .library(name: "SQLite", targets: ["SQLite"]),
    .library(name: "MartletDatabase", targets: ["MartletDatabase"]),
    .library(name: "MartletValues", targets: ["MartletValues"]),
    .library(name: "MartletAST", targets: ["MartletAST"]),
    .library(name: "MartletQuery", targets: ["MartletQuery"]),
    .library(name: "MartletClient", targets: ["MartletClient"]),
    .library(name: "MartletServer", targets: ["MartletServer"]),
  ],
  traits: [
    .default(enabledTraits: ["Client", "Server"]),
    .trait(name: "Client", description: "RemoteDatabase: databases on a server. Without it SwiftNIO is not needed."),
    .trait(name: "Server", description: "The server, its executable and the load tool."),
    .trait(name: "SQLCipher", description: "Encrypted files: SQLCipher 4.5 or later is linked in SQLite's place."),
  ],
  dependencies: [
    .package(url: "https://github.com/swiftlang/swift-syntax", from: "603.0.1"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", from: "0.2.0"),
    .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.1"),
  ],
  targets: [doors, foundations, languages, cores, ends, tops, library, benchmarks, tests].flatMap { $0 }
)
