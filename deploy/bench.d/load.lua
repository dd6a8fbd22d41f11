-- What a client of deploy/bench sends, over and over. The environment variable LOAD says which:
--   stream | one | empty | login USERS | register NAMES | upload FILE
-- and COOKIE, CLOSE add a session and the end of the connection after each request. The last line that wrk prints
-- is for measure.py.

local words = {}
for word in (os.getenv("LOAD") or "stream"):gmatch("%S+") do words[#words + 1] = word end
local kind, argument = words[1], words[2]

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
if os.getenv("COOKIE") then wrk.headers["Cookie"] = os.getenv("COOKIE") end
if os.getenv("CLOSE") then wrk.headers["Connection"] = "close" end

local function form(body) return function() return wrk.format(nil, nil, nil, body()) end end

if kind == "stream" then
    wrk.body = "command=stream"
elseif kind == "one" then
    wrk.body = "command=stream&IdPhoto=500"
elseif kind == "empty" then
    wrk.body = "command=nothing"
elseif kind == "login" then
    local users = tonumber(argument)
    math.randomseed(os.time())
    request = form(function()
        local user = math.random(users)
        return "command=login&username=user" .. user .. "&password=pass" .. user
    end)
elseif kind == "register" then
    local count = 0
    request = form(function()
        count = count + 1
        return "command=register&username=" .. argument .. count .. "&password=secret"
    end)
elseif kind == "upload" then
    local boundary = "Boundary+0xAbCdEfGbOuNdArY"
    local file = assert(io.open(argument, "rb"))
    local photo = file:read("*a")
    file:close()
    local function part(header) return "--" .. boundary .. "\r\nContent-Disposition: form-data; " .. header end
    wrk.headers["Content-Type"] = "multipart/form-data; boundary=" .. boundary
    wrk.body = part('name="command"\r\n\r\nupload\r\n') .. part('name="title"\r\n\r\nEvening in the hills\r\n')
        .. part('name="file"; filename="photo.jpg"\r\nContent-Type: image/jpeg\r\n\r\n') .. photo
        .. "\r\n--" .. boundary .. "--\r\n"
end

function done(summary, latency)
    local errors = summary.errors
    io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration,
        latency:percentile(50), latency:percentile(99), errors.status,
        errors.connect + errors.read + errors.write + errors.timeout))
end
