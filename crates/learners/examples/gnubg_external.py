# gnubg against one of our minds, to the end. First, in one terminal:
#     cargo run --release -p ludens-learners --example external_player -- actr-improved 15599
# then, in another (HOME keeps gnubg from your own settings):
#     HOME=$(mktemp -d) LUDENS_PORT=15599 LUDENS_GAMES=5 gnubg -t -q -r -p crates/learners/examples/gnubg_external.py
# O is our mind, X is gnubg looking 0 plies ahead.
import os
import sys

port = os.environ.get("LUDENS_PORT", "15599")
for command in [
    "set threads 1",
    "set player 0 external 127.0.0.1:" + port,
    "set player 1 gnubg",
    "set player 1 chequerplay evaluation plies 0",
    "set cube use off",
    "set automatic roll on",
    "set automatic game off",
    "set display off",
]:
    gnubg.command(command)
for game in range(int(os.environ.get("LUDENS_GAMES", "5"))):
    gnubg.command("new match 1")
    info = gnubg.match(0, 0, 0, 0)["games"][0]["info"]
    print("WINNER", info["winner"])
    sys.stdout.flush()
