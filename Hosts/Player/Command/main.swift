internal import HostSupport

PlayerCommand().run().end()
