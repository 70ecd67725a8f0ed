#!/usr/bin/python3
"""A browser of WebKitGTK that shows one page and ends when the page's title is "over".

browser.py ADDRESS
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402


def show(address: str) -> None:
    loop = GLib.MainLoop()
    # Without it a page may play with its sound off alone.
    policies = WebKit2.WebsitePolicies(autoplay=WebKit2.AutoplayPolicy.ALLOW)
    view = WebKit2.WebView(website_policies=policies)
    view.get_settings().set_media_playback_requires_user_gesture(False)
    window = Gtk.Window(default_width=640, default_height=360)
    window.add(view)
    view.connect("notify::title", lambda *_: loop.quit() if view.get_title() == "over" else None)
    view.connect("web-process-terminated", lambda *_: loop.quit())
    window.show_all()
    view.load_uri(address)
    loop.run()
    window.destroy()
    # The process that plays ends with its view.
    GLib.timeout_add(500, loop.quit)
    loop.run()


show(sys.argv[1])
