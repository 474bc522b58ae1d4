-- POST of GraphQL requests, whose bodies are read from a file and taken in turn. Errors have status 200, too.
dofile(debug.getinfo(1, "S").source:match("@(.*/)") .. "report.lua")

local bodies, round = {}, 0
status_counts = {}

function init(args)
  bodies = read_lines(args[1])
end

function request()
  round = round + 1
  return write_request("POST", "/graphql", nil, bodies[round % #bodies + 1])
end

function response(status, _, body)
  if status == 200 and not body:find('"errors":', 1, true) then count_status(200) else count_status("failed") end
end
