// An author imports PluginKit alone: blocks, values and text encoders come with it.
@_exported public import EventModel
@_exported public import TextEncoding
