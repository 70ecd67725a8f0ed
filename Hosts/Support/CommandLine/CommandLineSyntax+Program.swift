extension CommandLineSyntax {
    /// Reads the program's own arguments, or `words`; ends the program when it was asked for help, or wrongly.
    ///
    /// Where the first argument names a command, these are the command's arguments: see
    /// ``CommandLineArguments/program``.
    package func argumentsOrEnd(version: String, from words: [String]? = nil) -> CommandLineArguments {
        let (syntax, arguments) = chosen(by: words ?? Array(CommandLine.arguments.dropFirst()))
        return syntax.argumentsOrEnd(arguments, version: version)
    }

    /// Reads the words; ends the program when they ask for help, or are wrong.
    package func argumentsOrEnd(_ words: [String], version: String) -> CommandLineArguments {
        let request: Request
        do throws(UsageError) {
            request = try parse(words)
        } catch {
            end(with: error)
        }
        switch request {
        case .run(let arguments): return arguments
        case .help: end(showing: help(width: min(max(StandardStream.output.terminal.width, 60), 100)))
        case .version(let json): end(showing: VersionText.text(of: program, json: json))
        case .generate(let text):
            end(showing: text.text(for: self, version: version, date: ManualPage.date(from: Terminal.environment)))
        }
    }

    /// Ends the program because of what the command line says.
    package func end(with error: UsageError) -> Never {
        StandardStream.note(error.message(for: program))
        error.exitCode.end()
    }

    /// Writes the text as the program's answer and ends it.
    package func end(showing text: String) -> Never {
        do throws(StandardStream.Failure) {
            try StandardStream.output.write(text)
            ExitCode.success.end()
        } catch {
            StandardStream.note("\(program): error: \(error.message)")
            error.exitCode.end()
        }
    }
}
