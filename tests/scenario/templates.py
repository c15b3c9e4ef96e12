#!/usr/bin/env python3
"""templates.py — templates from elsewhere: git repositories, zip files, the cache. Speaks TAP.

Repositories are on this disk: git is told so by its own settings, and a stand-in before it writes down how it is called. The server of
zip files is on the loopback.
usage: CLI=… HOSTS=… templates.py [CLAIM…]"""
import http.server
import io
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import zipfile

MANIFEST = "name: ${PROJECT}\nruntime: yaml\ntemplate: {description: %s}\nresources: {}\n"
GIT = shutil.which("git")


class World:
    def __init__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="culumi-templates-")
        self.home = self.folder.name
        for name in ("bin", "source", "tmp", "git/owner"):
            os.makedirs(f"{self.home}/{name}")
        os.symlink(os.path.realpath(os.environ["CLI"]), self.home + "/bin/pulumi")
        self.write("bin/git", f"#!/bin/sh\necho \"$@\" >>{self.home}/argv\nenv | grep '^GIT_CONFIG_' >>{self.home}/env\nexec {GIT} \"$@\"\n")
        os.chmod(self.home + "/bin/git", 0o755)
        self.environment = {
            "PATH": f"{self.home}/bin:{os.path.realpath(os.environ['HOSTS'])}:/usr/bin:/bin",
            "HOME": self.home, "PULUMI_HOME": self.home + "/home", "PULUMI_BACKEND_URL": "file://" + self.home,
            "TMPDIR": self.home + "/tmp", "TERM": "dumb", "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", ""),
            "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": f"url.file://{self.home}/git/.insteadOf", "GIT_CONFIG_VALUE_0": "https://git.test/",
            "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b.c", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b.c",
        }

    def write(self, name, text):
        os.makedirs(os.path.dirname(f"{self.home}/{name}"), exist_ok=True)
        with open(f"{self.home}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(f"{self.home}/{name}", encoding="utf-8") as file:
            return file.read()

    def git(self, *words):
        subprocess.run([GIT, "-C", self.home + "/source", *words], check=True, env=self.environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def commit(self, branch, files, repository="owner/repo.git"):
        """A commit on a branch of a repository that is made if need be."""
        bare = f"{self.home}/git/{repository}"
        if not os.path.exists(bare):
            shutil.rmtree(self.home + "/source")
            os.makedirs(self.home + "/source")
            subprocess.run([GIT, "init", "--quiet", "--bare", "-b", "main", bare], check=True, env=self.environment)
            self.git("init", "--quiet", "-b", "main")
        self.git("checkout", "--quiet", "-B", branch)
        for name, text in files.items():
            self.write("source/" + name, text)
        self.git("add", "-A")
        self.git("commit", "--quiet", "-m", "x")
        self.git("push", "--quiet", bare, branch)

    def new(self, *words, exit_code=0, **variables):
        """Runs `new`, files only; what it printed."""
        shutil.rmtree(self.home + "/made", ignore_errors=True)
        done = subprocess.run(["pulumi", "new", "-gy", "-n", "made", "--dir", self.home + "/made", *words], cwd=self.home, text=True,
                              env={**self.environment, **variables}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        expect(done.returncode == exit_code, f"exit code {done.returncode}\n{done.stdout}")
        expect(os.listdir(self.home + "/tmp") == [], f"left behind: {os.listdir(self.home + '/tmp')}")
        return done.stdout

    def refuses(self, *words, says, **variables):
        text = self.new(*words, exit_code=1, **variables)
        expect(says in text, f"does not say '{says}':\n{text}")
        expect(not os.path.exists(self.home + "/made"), "something was made")


def expect(holds, what):
    if not holds:
        raise AssertionError(what)


def a_repository_is_cloned_and_its_folders_are_found(world):
    world.commit("main", {"Pulumi.yaml": MANIFEST % "top", "a/b/Pulumi.yaml": MANIFEST % "b", "a/b/file": "x ${PROJECT}", "a/c/Pulumi.yaml": MANIFEST % "c"})
    world.new("https://git.test/owner/repo")
    expect("template: https://git.test/owner/repo\n" in world.read("made/Pulumi.yaml"), world.read("made/Pulumi.yaml"))
    expect(not os.path.exists(world.home + "/made/.git"), ".git was copied")
    world.new("https://git.test/owner/repo.git/a/b")
    expect(world.read("made/file") == "x made", "the file")
    world.new("https://git.test/owner/repo/a/b")
    world.refuses("https://git.test/owner/repo/none", says="has no folder 'none'")
    world.refuses("https://git.test/owner/none", says="fetching the template from https://git.test/owner/none: git clone: ")


def a_branch_may_have_slashes(world):
    world.commit("main", {"Pulumi.yaml": MANIFEST % "main"})
    world.commit("feat/one", {"Pulumi.yaml": MANIFEST % "one", "deep/Pulumi.yaml": MANIFEST % "deep"})
    world.new("https://git.test/owner/repo/tree/feat/one")
    expect("description: one" in world.read("made/Pulumi.yaml"), world.read("made/Pulumi.yaml"))
    world.new("https://git.test/owner/repo/tree/feat/one/deep")
    expect("description: deep" in world.read("made/Pulumi.yaml"), world.read("made/Pulumi.yaml"))
    world.refuses("https://git.test/owner/repo/tree/none", says="no branch or tag of 'https://git.test/owner/repo.git' is at the start of 'none'")


def a_password_reaches_git_only(world):
    world.commit("main", {"Pulumi.yaml": MANIFEST % "top"})
    world.new("https://me:hu%40sh@git.test/owner/repo/tree/main?token=hush2")
    expect("hush" not in world.read("argv") and "hu%40sh" not in world.read("argv"), world.read("argv"))
    expect("https://git.test/owner/repo.git" in world.read("argv"), world.read("argv"))
    expect("GIT_CONFIG_COUNT=2" in world.read("env"), world.read("env"))
    expect("GIT_CONFIG_VALUE_1=Authorization: Basic bWU6aHVAc2g=" in world.read("env"), world.read("env"))
    made = world.read("made/Pulumi.yaml")
    expect("template: https://git.test/owner/repo/tree/main\n" in made, made)
    text = world.new("https://me:hush@git.test/owner/none", exit_code=1)
    expect("hush" not in text, text)


def links_stay_in_the_repository(world):
    os.makedirs(world.home + "/secret")
    world.write("secret/key", "hush")
    world.commit("main", {"a/Pulumi.yaml": MANIFEST % "a", "common": "for all"})
    os.symlink("../common", world.home + "/source/a/inside")
    world.commit("main", {})
    world.new("https://git.test/owner/repo/a")
    expect(world.read("made/inside") == "for all", "a link within the repository")
    os.symlink(world.home + "/secret/key", world.home + "/source/a/outside")
    world.commit("main", {})
    world.refuses("https://git.test/owner/repo/a", says="the link 'outside' leads out of the template")


def a_repository_without_a_template_is_refused(world):
    world.commit("main", {"README": "nothing"})
    world.refuses("https://git.test/owner/repo", says="there is no template at https://git.test/owner/repo: no folder has a Pulumi.yaml")
    world.commit("broken", {"Pulumi.yaml": "name: ["})
    world.refuses("https://git.test/owner/repo/tree/broken", says="template 'repo' is currently broken")


def without_git_the_reason_is_told(world):
    os.remove(world.home + "/bin/git")
    os.makedirs(world.home + "/empty")
    world.refuses("https://git.test/owner/repo", says="could not find git on the $PATH", PATH=world.home + "/bin:" + world.home + "/empty")


def the_cache_is_a_clone_that_is_kept_up_to_date(world):
    world.commit("master", {"mine/Pulumi.yaml": MANIFEST % "first"}, "owner/mine.git")
    settings = {"PULUMI_TEMPLATE_GIT_REPOSITORY": world.home + "/git/owner/mine.git", "PULUMI_TEMPLATE_BRANCH": "master"}
    world.new("mine", **settings)
    expect("description: first" in world.read("made/Pulumi.yaml"), "the first")
    world.commit("master", {"mine/Pulumi.yaml": MANIFEST % "second"}, "owner/mine.git")
    world.new("mine", "--offline", **settings)
    expect("description: first" in world.read("made/Pulumi.yaml"), "offline")
    world.new("mine", **settings)
    expect("description: second" in world.read("made/Pulumi.yaml"), "the second")
    listed = subprocess.run(["pulumi", "new", "-l", "-o"], env=world.environment, cwd=world.home, text=True, stdout=subprocess.PIPE).stdout
    expect("  mine " in listed and "  yaml " in listed, listed)


def a_name_that_is_nowhere_is_looked_for_in_the_repository(world):
    world.commit("main", {"far/Pulumi.yaml": MANIFEST % "far"}, "pulumi/templates.git")
    settings = {"GIT_CONFIG_VALUE_0": "https://github.com/"}
    world.new("far", **settings)
    expect("template: far\n" in world.read("made/Pulumi.yaml"), world.read("made/Pulumi.yaml"))
    world.refuses("farther", says="template 'farther' not found", **settings)


def a_folder_that_is_no_clone_is_left_alone(world):
    world.write("home/templates/own/Pulumi.yaml", MANIFEST % "own")
    world.refuses("other", says="template 'other' not found", PULUMI_TEMPLATE_GIT_REPOSITORY=world.home + "/git/owner/none.git")
    world.new("own")
    expect("description: own" in world.read("made/Pulumi.yaml"), "own")


# --- zip files ---

def archive(files):
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as out:
        for name, text in files.items():
            out.writestr(name, text)
    return memory.getvalue()


class Server:
    """Answers with what it has by path, and keeps what it was asked."""

    def __init__(self, files):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append((self.path, self.headers.get("Authorization")))
                body = files.get(self.path.split("?")[0])
                self.send_response(404 if body is None else 200)
                self.end_headers()
                self.wfile.write(body or b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def a_zip_file_is_a_template(world):
    server = Server({
        "/top.zip": archive({"Pulumi.yaml": MANIFEST % "top", "src/run": "#!/bin/sh\necho ${PROJECT}\n"}),
        "/hub.zip": archive({"repo-main/Pulumi.yaml": MANIFEST % "hub", "repo-main/x": "y"}),
        "/climb.zip": archive({"Pulumi.yaml": MANIFEST % "top", "../../climbed": "x"}),
        "/deep.zip": archive({"Pulumi.yaml": MANIFEST % "top", "/".join("a" * 2000): "x"}),
        "/long.zip": archive({"Pulumi.yaml": MANIFEST % "top", "/".join("a" * 32000): "x"}),
        "/none.zip": archive({"README": "x"}),
        "/text.zip": b"this is no archive",
    })
    world.new(f"http://me:hush@{server.url}/top.zip?sig=hush")
    expect(server.asked[-1] == ("/top.zip?sig=hush", "Basic bWU6aHVzaA=="), str(server.asked))
    made = world.read("made/Pulumi.yaml")
    expect(f"template: http://{server.url}/top.zip\n" in made and "hush" not in made, made)
    expect("echo made" in world.read("made/src/run") and os.access(world.home + "/made/src/run", os.X_OK), "the script")
    world.new(f"http://{server.url}/hub.zip")
    expect(world.read("made/x") == "y", "the archive of a repository")
    world.new(f"http://{server.url}/climb.zip", exit_code=1)
    expect(not os.path.exists(os.path.dirname(world.home) + "/climbed"), "it climbed")
    world.refuses(f"http://{server.url}/deep.zip", says="nested too deeply")
    world.refuses(f"http://{server.url}/long.zip", says="a name is too long")
    world.refuses(f"http://{server.url}/none.zip", says="there is no template at")
    world.refuses(f"http://{server.url}/text.zip", says="reading the template from")
    world.refuses(f"http://{server.url}/gone.zip", says="status 404")
    server.close()


def main():
    tests = [a_repository_is_cloned_and_its_folders_are_found, a_branch_may_have_slashes, a_password_reaches_git_only,
             links_stay_in_the_repository, a_repository_without_a_template_is_refused, without_git_the_reason_is_told, the_cache_is_a_clone_that_is_kept_up_to_date,
             a_name_that_is_nowhere_is_looked_for_in_the_repository, a_folder_that_is_no_clone_is_left_alone, a_zip_file_is_a_template]
    number = 0
    for test in tests:
        if sys.argv[1:] and test.__name__ not in sys.argv[1:]:
            continue
        number += 1
        world = World()
        try:
            test(world)
            print(f"ok {number} - {test.__name__.replace('_', ' ')}", flush=True)
        except (AssertionError, OSError, subprocess.SubprocessError) as failure:
            print(f"not ok {number} - {test.__name__.replace('_', ' ')}")
            print("\n".join("#   " + line for line in str(failure).split("\n")), flush=True)
        world.folder.cleanup()
    print(f"1..{number}")


main()
