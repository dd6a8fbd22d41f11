// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
]

let package = Package(
    name: "ireporter",
    products: [
        .executable(name: "ireporter", targets: ["ireporter"])
    ],
    targets: [
        // What Swift's own module of the C library leaves out.
        .systemLibrary(name: "CLinux"),
        // One Debian library each; nothing else in the tree imports C code of others.
        .systemLibrary(name: "CMariaDB", pkgConfig: "libmariadb", providers: [.apt(["libmariadb-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CTurboJPEG", pkgConfig: "libturbojpeg", providers: [.apt(["libturbojpeg0-dev"])]),
        .systemLibrary(name: "CPNG", pkgConfig: "libpng", providers: [.apt(["libpng-dev"])]),

        .target(name: "FastCGI", dependencies: ["CLinux"], swiftSettings: settings),
        .target(name: "MariaDB", dependencies: ["CMariaDB"], swiftSettings: settings),
        .target(name: "PHPSemantics", swiftSettings: settings),
        .target(name: "Photos", dependencies: ["CTurboJPEG", "CPNG"], swiftSettings: settings),
        .target(
            name: "IReporter",
            dependencies: ["FastCGI", "MariaDB", "PHPSemantics", "Photos", "COpenSSL"],
            swiftSettings: settings
        ),
        .target(name: "ContractSuite", swiftSettings: settings),
        // The files of sql/upgrade as bytes in the executable, which is installed without them.
        .target(
            name: "UpgradeFiles",
            path: "sql/upgrade",
            resources: [
                .embedInCode("001-innodb-utf8mb4.sql"), .embedInCode("002-unique-username.sql"),
                .embedInCode("003-wide-password.sql"), .embedInCode("004-sessions.sql"),
                .embedInCode("005-import-users.sql"),
            ],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "ireporter",
            dependencies: ["IReporter", "FastCGI", "MariaDB", "Photos", "ContractSuite", "UpgradeFiles"],
            swiftSettings: settings
        ),

        // Private servers for tests: MariaDB, nginx, php-fpm and the worker, each in a folder of its own.
        .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: settings),
        // What deploy/tests/instructions.sh counts instructions of.
        .executableTarget(
            name: "instruction-counts",
            dependencies: ["IReporter", "PHPSemantics", "Photos"],
            path: "Tests/InstructionCounts",
            swiftSettings: settings
        ),
        .testTarget(name: "FastCGITests", dependencies: ["FastCGI"], swiftSettings: settings),
        .testTarget(name: "MariaDBTests", dependencies: ["MariaDB", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "PHPSemanticsTests", dependencies: ["PHPSemantics", "TestSupport"], swiftSettings: settings),
        .testTarget(name: "PhotosTests", dependencies: ["Photos", "TestSupport"], swiftSettings: settings),
        .testTarget(
            name: "IReporterTests",
            dependencies: ["IReporter", "FastCGI", "MariaDB", "PHPSemantics", "Photos", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(name: "ContractSuiteTests", dependencies: ["ContractSuite"], swiftSettings: settings),
        .testTarget(
            name: "EndToEndTests",
            dependencies: ["ContractSuite", "FastCGI", "IReporter", "MariaDB", "TestSupport"],
            swiftSettings: settings
        ),
    ]
)

// The fuzzers, which `deploy/fuzz` builds with options of their own. Without those they do not link: each has the same
// entry point, and its main program comes with the sanitizer.
if Context.environment["IREPORTER_FUZZERS"] != nil {
    let harnesses: KeyValuePairs<String, Target.Dependency> = [
        "URLEncodedFuzz": "PHPSemantics", "MultipartFuzz": "PHPSemantics", "SessionFuzz": "PHPSemantics",
        "CookieFuzz": "PHPSemantics", "JSONFuzz": "PHPSemantics", "JPEGFuzz": "Photos", "PNGFuzz": "Photos",
        "RequestFuzz": "FastCGI",
    ]
    package.targets += harnesses.map { name, module in
        .executableTarget(
            name: name,
            dependencies: [module],
            path: "Tests/Fuzz/\(name)",
            swiftSettings: settings
        )
    }
}
