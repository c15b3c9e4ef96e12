"""Every way in which a program can fail; the configuration says which."""
import os
import signal
import sys
import time

import pulumi

how = pulumi.Config().require("how")
print("the first line")
sys.stdout.flush()


def fail():
    raise ValueError("this went wrong")


if how == "raise":
    fail()
elif how == "told":
    raise pulumi.RunError("the user can mend this")
elif how == "config":
    pulumi.Config().require("missing")
elif how == "exit":
    sys.exit(3)
elif how == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
elif how == "hang":
    print("hanging now", flush=True)
    time.sleep(1000)
elif how == "resource":
    sound = pulumi.CustomResource("thing:index:Thing", "sound", {})
    broken = pulumi.CustomResource("thing:index:Thing", "broken", {}, pulumi.ResourceOptions(depends_on=[sound]))
    pulumi.CustomResource("thing:index:Thing", "later", {"of": broken.id})
elif how == "function":
    pulumi.runtime.invoke("thing:index:ask", {})
elif how == "apply":
    pulumi.Output.from_input("late").apply(lambda text: fail())
elif how == "module":
    import no_such_module
pulumi.export("done", True)
