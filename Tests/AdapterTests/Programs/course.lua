-- The course of the tests in mpv: a pause of half a second at 1 s, and a seek from 2 s to 4 s.
local step = 0
mp.observe_property("time-pos", "number", function(_, place)
    if place == nil then return end
    if step == 0 and place >= 1 then
        step = 1
        mp.set_property_bool("pause", true)
        mp.add_timeout(0.5, function() mp.set_property_bool("pause", false) end)
    elseif step == 1 and place >= 2 then
        step = 2
        mp.commandv("seek", "4", "absolute+exact")
    end
end)
