// An application imports Tally and nothing else: attribute values, event names and JSON come with it.
@_exported public import EventModel
@_exported public import TextEncoding
