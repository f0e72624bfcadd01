#!/usr/bin/python3
"""The program svc as its operator meets it: commands, configuration, start, drain and stop, over a fake base."""
import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))
from support.server import Server  # noqa: E402

PROGRAM = VERSION = None


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def svc(self, *arguments, given=None, environment=None):
        clean = {k: v for k, v in os.environ.items() if not k.startswith("SVC_")}
        run = subprocess.run([PROGRAM, *arguments], cwd=self.root, capture_output=True, text=True, input=given or "",
                             env={**clean, **(environment or {})}, check=False, timeout=60)
        return run.returncode, run.stdout, run.stderr


class Commands(Case):
    def test_help_names_every_command_and_every_setting(self):
        code, text, _ = self.svc("--help")
        self.assertEqual(code, 0)
        for command in ("serve", "migrate", "init", "user", "password", "backup", "doctor", "key", "failed", "retry", "routes", "samples",
                        "catalogue", "config"):
            self.assertRegex(text, rf"(?m)^  {command}\s")
        settings = re.findall(r"`(--[a-z0-9-]+)`", self.svc("config", "--markdown")[1])
        self.assertGreater(len(settings), 30)
        for flag in settings:
            if flag not in ("--config",):
                self.assertRegex(text, rf"(?m)^  {flag}[\s=]")

    def test_version_is_the_one_of_the_build(self):
        self.assertEqual(self.svc("--version"), (0, f"svc {VERSION}\n", ""))
        self.assertEqual(self.svc("version"), self.svc("--version"))
        self.assertEqual(self.svc("help"), self.svc("--help"))

    def test_a_mistake_on_the_command_line_is_exit_code_2(self):
        for arguments in ((), ("nonsense",), ("serve", "--listen-prot", "1"), ("serve", "--listen-port", "x"),
                          ("--config", "absent.toml", "serve"), ("user", "add", "ada"), ("backup",)):
            with self.subTest(arguments=arguments):
                code, _, says = self.svc(*arguments)
                self.assertEqual(code, 2)
                self.assertTrue(says)

    def test_a_setting_may_stand_before_or_behind_the_command(self):
        for arguments in (("--listen-port", "7", "config"), ("config", "--listen-port", "7")):
            self.assertIn("port = 7  # flag\n", self.svc(*arguments)[1])

    def test_the_file_may_be_named_by_the_environment(self):
        (self.root / "svc.toml").write_text("[listen]\nport = 7\n")
        self.assertIn("port = 7  # file\n", self.svc("config", environment={"SVC_CONFIG": "svc.toml"})[1])
        self.assertIn("port = 7  # file\n", self.svc("config", "--config", "svc.toml")[1])

    def test_init_shows_the_secrets_of_the_first_administrator_once(self):
        code, text, _ = self.svc("init")
        self.assertEqual(code, 0)
        self.assertNotIn("sample", text)
        self.assertRegex(text, r"login +admin\n +password +[a-zA-Z2-9]{24}\n +application password +secret of admin")
        self.assertIn("export APP_PASSWORD='secret of admin for first run'", text)
        self.assertEqual(self.svc("init"), (0, "base/0001_settings\n", ""))

    def test_init_loads_the_samples_where_they_are_wanted(self):
        code, text, _ = self.svc("init", "--samples")
        self.assertEqual((code, "3 sample trips" in text), (0, True), text)

    def test_users_are_listed_and_changed(self):
        (self.root / "var").mkdir()
        code, text, _ = self.svc("user", "list")
        self.assertEqual(code, 0)
        self.assertRegex(text, r"^login +role +email +status +last sign-in\nada +owner +ada@example.org +active +2026-11-01\S+\n$")
        self.assertRegex(self.svc("user", "list", "--customers")[1], r"(?m)^bo7 +svc_customer +bo@example.org +blocked +never$")
        self.assertEqual(self.svc("user", "role", "ada", "guide"), (0, "ada has the role guide\n", ""))
        self.assertEqual(self.svc("user", "role", "ada", "none"), (1, "", 'svc: There is no role "none".\n'))
        self.assertIn("is disabled", self.svc("user", "disable", "ada")[1])
        self.assertIn("can sign in again", self.svc("user", "enable", "ada")[1])
        self.assertEqual(self.svc("user", "password", "ada", given="twelve chars\n")[0], 0)
        code, text, _ = self.svc("user", "password", "ada", "--generate")
        made = re.search(r"(?m)^password ([a-zA-Z2-9]{24})$", text)[1]
        self.assertEqual((self.root / "var/users").read_text(), f"ada twelve chars\nada {made}\n")
        self.assertEqual(self.svc("user", "password", "ada")[0], 1)  # nothing on standard input
        self.assertEqual(self.svc("user")[0], 2)

    def test_a_mistyped_variable_is_named(self):
        for name in ("SVC_LISTEN_PROT", "SVC_LISTN_PORT"):
            code, _, says = self.svc("config", environment={name: "8080"})
            self.assertEqual((code, f"{name} is not a setting" in says), (2, True), says)
        # Kubernetes names a service's own so.
        self.assertEqual(self.svc("config", environment={"SVC_SERVICE_HOST": "10.0.0.1", "SVC_PORT_80_TCP": "x"})[0], 0)

    def test_a_file_that_everybody_may_write_is_refused(self):
        file = self.root / "svc.toml"
        file.write_text("[listen]\nport = 7\n")
        file.chmod(0o666)
        code, _, says = self.svc("config", "--config", "svc.toml")
        self.assertEqual((code, "chmod 0640 svc.toml" in says), (2, True), says)
        file.chmod(0o640)
        self.assertEqual(self.svc("config", "--config", "svc.toml")[0], 0)

    def test_addresses_hosts_and_levels_are_held_to_what_their_setting_says(self):
        for setting, wrong, right in (("--listen-address", "localhost", "127.0.0.1"), ("--admin-address", "localhost", "::1"),
                                      ("--outbound-private-hosts", "10.0.0.7", "10.0.0.7:25"),
                                      ("--outbound-private-hosts", "mail:smtp", "mail:25,[::1]:25"),
                                      ("--log-level", "loud", "warning")):
            with self.subTest(setting=setting, wrong=wrong):
                code, _, says = self.svc("config", setting, wrong)
                self.assertEqual((code, setting in says), (2, True), says)
                self.assertEqual(self.svc("config", setting, right)[0], 0)

    def test_directories_are_made_for_the_owner_and_the_group_alone(self):
        self.svc("migrate", "--files-data-dir", "deep/data", "--files-key-file", "keys/svc.key",
                 "--database-url", "sqlite:db/svc.db")
        for made in ("deep/data", "keys", "db"):
            self.assertEqual((self.root / made).stat().st_mode & 0o777, 0o750)

    def test_a_password_comes_from_standard_input_or_is_made_up(self):
        (self.root / "var").mkdir()
        self.assertEqual(self.svc("user", "add", "ada", "--email", "a@example.org", "--role", "owner",
                                  given="twelve chars\n"), (0, "user 1 ada\n", ""))
        self.assertEqual((self.root / "var/users").read_text(), "ada a@example.org owner 12\n")
        code, text, _ = self.svc("user", "add", "bo", "--email", "b@example.org", "--role", "owner", "--generate")
        self.assertEqual(code, 0)
        self.assertRegex(text, r"^user 1 bo\npassword [a-zA-Z2-9]{24}\n$")
        code, _, says = self.svc("user", "add", "cy", "--email", "c@example.org", "--role", "owner")
        self.assertEqual((code, "password" in says), (1, True))

    def test_the_other_commands_print_what_the_base_answers(self):
        self.assertEqual(self.svc("password", "add", "ada", "--name", "till"), (0, "secret of ada for till\n", ""))
        self.assertEqual(self.svc("samples"), (0, "3 sample trips\n", ""))
        self.assertEqual(self.svc("catalogue", "hooks")[1], "# hooks\n")
        self.assertEqual(self.svc("routes")[1], "GET /trips/public everyone -\n")
        self.assertEqual(self.svc("backup", "copy.db"), (0, "copy.db\n", ""))
        self.assertEqual((self.root / "copy.db").stat().st_mode & 0o777, 0o600)

    def test_an_evaluation_says_until_when_and_which_modules_are_on(self):
        code, out, _ = self.svc("license", "evaluate")
        self.assertEqual((code, out), (0, "Pro is evaluated until 2026-12-29T00:00:00Z; then its modules go off and "
                                          "their data stays.\non: license\n"))

    def test_keys_are_changed_step_by_step(self):
        for step, says in (("add", "then run svc key use"), ("use", "then run svc key renew"), ("renew", "2 values re-encrypted"),
                           ("drop", "one key is left"), ("accept --yes", "the database's from now on")):
            with self.subTest(step=step):
                code, text, _ = self.svc("key", *step.split())
                self.assertEqual((code, says in text), (0, True), text)
        self.assertEqual(self.svc("key")[0], 2)
        self.assertEqual(self.svc("key", "accept")[0], 2)

    def test_what_was_given_up_is_listed_and_tried_again(self):
        self.assertEqual(self.svc("failed"), (0, "mail 7 welcome 2026-11-01T00:00:00Z Refused.\n", ""))
        self.assertEqual(self.svc("retry", "mail", "7"), (0, "1 queued to run again\n", ""))
        self.assertEqual(self.svc("retry", "mail"), (0, "1 queued to run again\n", ""))
        self.assertEqual(self.svc("retry", "mail", "8"), (1, "", "svc: there is no mail 8 that was given up\n"))
        self.assertEqual(self.svc("retry", "mail", "none")[0], 2)

    def test_doctor_is_exit_code_1_when_something_is_bad(self):
        code, text, _ = self.svc("doctor")
        self.assertEqual(code, 0)
        self.assertIn("warning  disk: nearly full", text)
        self.assertEqual(self.svc("doctor", "--database-require-durable", "false")[0], 1)

    def test_what_stops_the_start_is_one_sentence_and_exit_code_1(self):
        self.assertEqual(self.svc("serve", "--database-url", "sqlite:/broken"),
                         (1, "", "svc: cannot open the database\n"))


class Serving(Case):
    def serve(self, *arguments, environment=None):
        (self.root / "var").mkdir(exist_ok=True)
        return Server([PROGRAM, "serve", *arguments], self.root, environment)

    def slow_request(self, server):
        """A request that the base holds until the test writes var/release."""
        answers = []

        def ask():
            with contextlib.suppress(http.client.HTTPException, ConnectionError):  # cut off: no answer
                answers.append(server.ask("/svc/v1/slow"))
        thread = threading.Thread(target=ask)
        thread.start()
        server.heard("slow request begun")
        return thread, answers

    def release(self):
        (self.root / "var/release").touch()

    def test_it_says_where_it_listens_and_answers_there(self):
        with self.serve() as server:
            self.assertTrue(server.heard("listening")[0])
            self.assertEqual(server.lines[1:3], [f"svc {VERSION} admin on http://127.0.0.1:{server.port}/admin",
                                                 f"svc {VERSION} listening on http://127.0.0.1:{server.port}/svc/v1"])
            self.assertEqual(server.ask("/svc/v1/trips")[::2], (200, "GET /svc/v1/trips "))
            status, headers, _ = server.ask("/docs")
            self.assertEqual((status, headers["Location"]), (302, "/svc/v1/docs"))
            self.assertEqual(server.ask("/healthz", admin=True)[0], 200)
            self.assertEqual(server.ask("/readyz", admin=True)[0], 200)
            self.assertIn("svc_http_requests_total", server.ask("/metrics", admin=True)[2])

    def test_health_is_not_shown_to_the_public(self):
        with self.serve() as server:
            self.assertIn("GET /metrics", server.ask("/metrics")[2])  # the base's own answer, not ours

    def test_sigterm_and_ctrl_c_stop_it_with_exit_code_0(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(signal=number), self.serve() as server:
                server.process.send_signal(number)
                self.assertEqual(server.process.wait(30), 0)
                server.heard("base stopped")
                server.heard("svc stopped")

    def test_a_request_in_flight_is_answered_before_the_stop(self):
        with self.serve() as server:
            thread, answers = self.slow_request(server)
            server.process.send_signal(signal.SIGTERM)
            server.heard("drains")
            self.release()
            thread.join()
            self.assertEqual(answers[0][0], 200)
            self.assertEqual(server.process.wait(30), 0)

    def test_readiness_is_red_while_the_delay_runs_and_requests_are_still_answered(self):
        with self.serve("--drain-delay-ms", "600000") as server:
            server.process.send_signal(signal.SIGTERM)
            server.heard("drains")
            status, _, text = server.ask("/readyz", admin=True)
            self.assertEqual((status, "stopping" in text), (503, True))
            self.assertEqual(server.ask("/healthz", admin=True)[0], 200)
            self.assertEqual(server.ask("/svc/v1/trips")[0], 200)
            server.process.send_signal(signal.SIGTERM)  # the second one ends the delay
            self.assertEqual(server.process.wait(30), 0)

    def test_a_second_signal_does_not_wait_for_what_is_in_flight(self):
        with self.serve("--drain-seconds", "600") as server:
            thread, answers = self.slow_request(server)
            server.process.send_signal(signal.SIGTERM)
            server.heard("drains")
            server.process.send_signal(signal.SIGTERM)
            server.heard("stops at once")
            thread.join()  # cut off while the base still works on it
            self.assertEqual(answers, [])
            self.release()
            self.assertEqual(server.process.wait(30), 0)

    def test_the_service_manager_is_told_when_it_is_ready_and_when_it_stops(self):
        for name in (str(self.root / "notify"), "\0svc-notify-%d" % os.getpid()):
            with self.subTest(name=name), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
                manager.bind(name)
                manager.settimeout(30)
                with self.serve(environment={"NOTIFY_SOCKET": name.replace("\0", "@")}) as server:
                    self.assertEqual(manager.recv(100), b"READY=1")
                    server.process.send_signal(signal.SIGTERM)
                    self.assertEqual(manager.recv(100), b"STOPPING=1")
                    self.assertEqual(server.process.wait(30), 0)

    def test_descriptors_are_raised_to_the_hard_limit(self):
        import resource
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with self.serve() as server:
            text = Path(f"/proc/{server.process.pid}/limits").read_text()
            self.assertRegex(text, rf"Max open files +{hard} +{hard}")

    def test_a_socket_held_by_the_manager_refuses_no_connection_while_the_server_restarts(self):
        with socket.socket() as held:
            held.bind(("127.0.0.1", 0))
            held.listen(4096)
            port, statuses, ended = held.getsockname()[1], [], threading.Event()

            def ask_again_and_again():
                while not ended.is_set():
                    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
                    connection.request("GET", "/svc/v1/trips")
                    statuses.append(connection.getresponse().status)
                    connection.close()
            asking = threading.Thread(target=ask_again_and_again, daemon=True)

            def wait_for_answers():
                before = len(statuses)
                while len(statuses) < before + 20:
                    self.assertTrue(asking.is_alive(), "a connection was refused or broken")
                    time.sleep(0.01)

            def numbers_of(process, what):
                found = 0
                for number in os.listdir(f"/proc/{process}/fd"):
                    with contextlib.suppress(FileNotFoundError):  # a connection that was closed meanwhile
                        found += os.readlink(f"/proc/{process}/fd/{number}") == what
                return found

            def start():
                # As systemd does it: the socket is descriptor 3, and the variables name the process that gets it.
                server = subprocess.Popen(["/bin/bash", "-c", f'[ {held.fileno()} = 3 ] || exec 3<&{held.fileno()} {held.fileno()}<&-;'
                                           ' LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"', PROGRAM,
                                           "serve", "--admin-port", "0"], pass_fds=[held.fileno()], cwd=self.root, stderr=subprocess.PIPE)
                self.addCleanup(server.kill)
                return server
            first = start()
            asking.start()
            for _ in range(3):
                wait_for_answers()
                # Once: a second number of it would be accepted from while the first is closed.
                self.assertEqual(numbers_of(first.pid, f"socket:[{os.fstat(held.fileno()).st_ino}]"), 1)
                first.send_signal(signal.SIGTERM)
                self.assertEqual(first.wait(60), 0, first.stderr.read())
                first.stderr.close()
                first = start()
            wait_for_answers()
            ended.set()
            asking.join()
            first.send_signal(signal.SIGTERM)
            first.wait(60)
            first.stderr.close()
            self.assertEqual(set(statuses), {200})

    def test_a_missing_pro_library_leaves_the_base_serving(self):
        with self.serve("--pro-library", str(self.root / "libabsent.so")) as server:
            self.assertEqual(server.ask("/svc/v1/trips")[0], 200)

    def test_a_port_in_use_is_one_sentence_and_exit_code_1(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            code, _, says = self.svc("serve", "--listen-port", str(taken.getsockname()[1]), "--admin-port", "0")
            self.assertEqual((code, says.count("\n")), (1, 1), says)


if __name__ == "__main__":
    PROGRAM, VERSION = os.path.abspath(sys.argv[1]), sys.argv[2]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
