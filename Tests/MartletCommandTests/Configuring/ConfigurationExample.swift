/// A configuration file that has every key.
enum ConfigurationExample {
  static let text = """
    data = "/var/lib/martlet"
    listen = [
      "martlet+tls://0.0.0.0:6278", # everybody
      "martlet+unix:///run/martlet/martlet.sock",
    ]
    ready-file = "ready"
    socket-mode = "660"
    insecure = false
    loops = 2
    log-level = "debug"
    log-format = "json"
    slow-query-ms = 100
    metrics-listen = "127.0.0.1:9278"
    page-checksums = false
    key-file = "key"
    memory = "1G"
    deny = ["raw", "drop"]
    deny-tcp = ["schema"]
    tokens = "tokens"

    [tls]
    certificate = "server.pem"
    key = "/etc/keys/server.key"
    client-authority = "clients.pem"
    client-certificate = "required"
    minimum = "1.2"

    [limits]
    connections-max = 1_000
    hello-deadline-ms = 2000
    deadline-ms = 4000
    deadline-max-ms = 60000
    write-time-max-ms = 20000
    drain-ms = 3000
    transaction-ms = 9000
    wal-mib = 64
    page-cache-mib = 4
    temporary-mib = 2048
    schema-objects = 5000

    [roles.reader]
    databases = ["shop", "tenant-*"]
    allow = ["select"]

    [roles.writer]
    inherits = ["reader"]
    databases = ["log"]
    allow = ["insert", "update"]

    [roles]
    owner = { databases = ["*"], allow = ["all"] }

    [users]
    www-data = "writer"
    1234 = "owner"

    [certificates]
    "backup.example" = "reader"

    [local]
    role = "writer"

    [audit]
    file = "audit.log"
    statements = "writes"
    parameters = ["Orders.total"]

    [jwt.login]
    issuer = "https://login.example.org"
    audience = "shop"
    keys = "login.jwks"
    role-claim = "groups"
    roles = { staff = "writer", "on call" = "owner" }
    claims = ["tenant", "level"]
    leeway-s = 10
    lifetime-max-s = 3600

    [jwt.build]
    issuer = "build.example.org"
    audience = "shop"
    keys = "/etc/keys/build.jwks"
    role = "reader"

    """

  static let users: [String: UInt32] = ["www-data": 33]
}
