internal import HostSupport

ReplayCommand().run().end()
