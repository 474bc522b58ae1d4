-- A new shipment with both addresses, which opens a move of its own.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "report.lua")

local text

function init(args)
  text = write_request("POST", "/v1/shipments", nil, read_lines(args[1])[1])
end

function request()
  return text
end
