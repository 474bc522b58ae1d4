-- The 100 oldest events.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "report.lua")

local text = write_request("GET", "/v1/events?limit=100")
status_counts = {}

function request()
  return text
end

response = count_status
