internal import Foundation
internal import IReporter

/// Runs a command that works in the upload folder with the settings of the environment, and explains what is wrong.
///
/// - Returns: the exit code.
func withSettings(_ body: (Settings) throws -> Int32) -> Int32 {
    do {
        let environment = ProcessInfo.processInfo.environment
        let settings = try Settings(environment: environment, processors: ProcessInfo.processInfo.activeProcessorCount)
        try settings.requireUploadDirectory()
        return try body(settings)
    } catch let error as SettingsError {
        complain(error.description, hint: hintForSettings)
        return ExitCode.usage
    } catch {
        complain("\(error)", hint: hintForSetup)
        return ExitCode.failure
    }
}
