// An application imports Tally and nothing else: reports, attribute values, event names and JSON come with it.
@_exported public import Coordinator
@_exported public import EventModel
@_exported public import PluginLoading
@_exported public import Reporting
@_exported public import Setup
@_exported public import System
@_exported public import TallyReplay
@_exported public import TextEncoding
