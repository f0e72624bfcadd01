// The load tool of `make bench`: one named scenario against a running server, figures as one JSON line.
#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/http_client.hpp"

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
    std::uint16_t port = 0;
    std::string scenario, date, headers;
    std::vector<std::string> targets;
    std::int64_t trip = 0;
    std::int64_t first = 0;  // the number of each client's first buyer
    int clients = 4;
    double seconds = 2;
    std::string file;
};

struct Tally {
    std::vector<double> millis;
    std::int64_t good = 0, bad = 0;
    std::string first_bad;
};

// The text of a member of a flat JSON answer: enough for tokens and numbers, and cheap beside the server's work.
std::string member(const std::string& json, const std::string& name) {
    const std::size_t at = json.find("\"" + name + "\":");
    if (at == std::string::npos)
        return {};
    std::size_t begin = at + name.size() + 3;
    if (json[begin] == '"') {
        ++begin;
        return json.substr(begin, json.find('"', begin) - begin);
    }
    return json.substr(begin, json.find_first_of(",}", begin) - begin);
}

void note(Tally& tally, const svc::test::HttpReply& reply) {
    ++tally.bad;
    if (tally.first_bad.empty())
        tally.first_bad = std::to_string(reply.status) + " " + reply.body.substr(0, 200);
}

// GET of one target after the other, again and again.
bool fetch(svc::test::HttpClient& client, const Options& options, Tally& tally, std::int64_t turn) {
    const auto& target = options.targets[static_cast<std::size_t>(turn) % options.targets.size()];
    const auto reply = client.call("GET", target, {}, options.headers);
    if (reply.status == 200)
        return true;
    note(tally, reply);
    return false;
}

// Fields of the standard form besides names and address.
constexpr std::string_view form_answers =
    R"("payment_gateway":"pay_later","contact_phone":"+44 20 7946 0001","contact_country":"GB",)"
    R"("emergency_name":"Annabella","emergency_phone":"+44 20 7946 0002","travelers":[{"first_name":"Ada",)"
    R"("last_name":"Buyer","date_of_birth":"1990-12-10","gender":"female","nationality":"British"}])";

// A buyer's requests: session, summary, create; durable when the 201 has come.
bool book(svc::test::HttpClient& client, const Options& options, Tally& tally, int client_number, std::int64_t turn) {
    const std::string choice = "\"trip_id\":" + std::to_string(options.trip) + ",\"travel_date\":\"" + options.date +
                               "\",\"travelers_count\":1";
    auto reply = client.call("POST", "/svc/v1/booking/session", "{" + choice + "}", options.headers);
    if (reply.status != 201) {
        note(tally, reply);
        return false;
    }
    const std::string session = "X-Svc-Session: " + member(reply.body, "session_id") + "\r\n" + options.headers;
    reply = client.call("GET", "/svc/v1/booking/summary", {}, session);
    if (reply.status != 200) {
        note(tally, reply);
        return false;
    }
    const std::string who = std::to_string(client_number) + "-" + std::to_string(turn);
    reply = client.call("POST", "/svc/v1/booking/create",
                        "{\"contact_first_name\":\"Ada\",\"contact_last_name\":\"Buyer " + who +
                            "\",\"contact_email\":\"ada." + who + "@example.org\"," + std::string(form_answers) + "}",
                        session);
    if (reply.status == 201)
        return true;
    note(tally, reply);
    return false;
}

// One request after the other, each once; a line each: TARGET, its headers and its body, tab in between.
Tally send_all(const Options& options, std::atomic<bool>& go) {
    svc::test::HttpClient client{options.port};
    Tally tally;
    std::ifstream in(options.file);
    std::vector<std::vector<std::string>> requests;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        auto& request = requests.emplace_back();
        for (std::string word; std::getline(words, word, '\t');)
            request.push_back(word);
        request.resize(std::max<std::size_t>(request.size(), 2));
    }
    while (!go)
        std::this_thread::yield();
    for (const auto& request : requests) {
        std::string headers;
        for (std::size_t at = 1; at + 1 < request.size(); ++at)
            headers += request[at] + "\r\n";
        const auto began = Clock::now();
        const auto reply = client.call("POST", request.front(), request.back(), headers);
        tally.millis.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
        if (reply.status == 200 || reply.status == 201)
            ++tally.good;
        else
            note(tally, reply);
    }
    return tally;
}

Tally run_client(const Options& options, int number, Clock::time_point until, std::atomic<bool>& go) {
    svc::test::HttpClient client{options.port};
    Tally tally;
    tally.millis.reserve(1 << 16);
    while (!go)
        std::this_thread::yield();
    for (std::int64_t turn = 0; Clock::now() < until; ++turn) {
        const auto began = Clock::now();
        const bool good = options.scenario == "flow" ? book(client, options, tally, number, options.first + turn)
                                                     : fetch(client, options, tally, turn);
        if (good) {
            ++tally.good;
            tally.millis.push_back(std::chrono::duration<double, std::milli>(Clock::now() - began).count());
        }
        if (tally.bad > 1000)
            break;
    }
    return tally;
}

double percentile(const std::vector<double>& sorted, double share) {
    return sorted.empty() ? 0 : sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

bool read_options(int count, char** words, Options& options) {
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string key = words[i];
        const std::string value = words[i + 1];
        if (key == "--port")
            options.port = static_cast<std::uint16_t>(std::atoi(value.c_str()));
        else if (key == "--scenario")
            options.scenario = value;
        else if (key == "--target")
            options.targets.push_back(value);
        else if (key == "--date")
            options.date = value;
        else if (key == "--trip")
            options.trip = std::atoll(value.c_str());
        else if (key == "--first")
            options.first = std::atoll(value.c_str());
        else if (key == "--clients")
            options.clients = std::atoi(value.c_str());
        else if (key == "--seconds")
            options.seconds = std::atof(value.c_str());
        else if (key == "--file")
            options.file = value;
        else if (key == "--header")
            options.headers += value + "\r\n";
        else
            return false;
    }
    if (options.scenario == "send")
        options.clients = 1;
    if (options.targets.empty())
        options.targets.emplace_back();
    return options.port != 0 && (options.scenario == "get" || options.scenario == "flow" ||
                                 (options.scenario == "send" && !options.file.empty()));
}

}  // namespace

int main(int count, char** words) {
    Options options;
    if (!read_options(count, words, options)) {
        std::fprintf(
            stderr,
            "bench-load --port N --scenario get|flow|send [--target PATH]... [--trip ID --date YYYY-MM-DD [--first N]]"
            " [--file REQUESTS] [--clients N] [--seconds S] [--header 'Name: value']\n");
        return 2;
    }
    std::atomic<bool> go{false};
    const auto began = Clock::now();
    const auto until =
        began + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds));
    std::vector<Tally> tallies(static_cast<std::size_t>(options.clients));
    std::vector<std::thread> threads;
    for (int i = 0; i < options.clients; ++i)
        threads.emplace_back([&, i] {
            tallies[static_cast<std::size_t>(i)] =
                options.scenario == "send" ? send_all(options, go) : run_client(options, i, until, go);
        });
    go = true;
    for (std::thread& thread : threads)
        thread.join();
    const double took = std::chrono::duration<double>(Clock::now() - began).count();

    std::vector<double> all;
    Tally sum;
    for (Tally& tally : tallies) {
        all.insert(all.end(), tally.millis.begin(), tally.millis.end());
        sum.good += tally.good;
        sum.bad += tally.bad;
        if (sum.first_bad.empty())
            sum.first_bad = tally.first_bad;
    }
    std::sort(all.begin(), all.end());
    std::printf("{\"per_second\": %.1f, \"p50_ms\": %.4f, \"p99_ms\": %.4f, \"good\": %lld, \"bad\": %lld}\n",
                static_cast<double>(sum.good) / took, percentile(all, 0.5), percentile(all, 0.99),
                static_cast<long long>(sum.good), static_cast<long long>(sum.bad));
    if (!sum.first_bad.empty())
        std::fprintf(stderr, "first refusal: %s\n", sum.first_bad.c_str());
    return sum.good > 0 ? 0 : 1;
}
