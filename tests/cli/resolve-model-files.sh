# of every file the model's traits are those that SGLang derives, by name and type: as a file, a directory, and behind --model-path
cat > compare.py <<'END'
import json, os, shutil, subprocess, sys
configs = os.environ["ROOT"] + "/tests/files/configs/"
def model(*words):
    out = subprocess.run(["pdcfg", "resolve", "--no-env", "--format", "json", *words], stdout=subprocess.PIPE).stdout
    return json.dumps(json.loads(out)["servers"][0]["model"])
os.mkdir("m")
launch = ["--", "python3", "-m", "sglang.launch_server", "--model-path"]
for line in open(configs + "expect.jsonl"):
    row = json.loads(line)
    expect = json.dumps(row["expect"])
    shutil.copy(configs + row["file"], "m/config.json")
    for words in (["--model-config", configs + row["file"], *launch, "x"], ["--model-config", "m", *launch, "x"], [*launch, "m"]):
        if model(*words) != expect:
            print(row["file"], words, model(*words), expect)
END
python3 compare.py
