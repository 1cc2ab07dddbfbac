/* Runs a fuzz target over files, where there is no libFuzzer: replay FILE… */
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
	static uint8_t data[1 << 20];
	for (int i = 1; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");
		if (!f) {
			perror(argv[i]);
			return 2;
		}
		size_t n = fread(data, 1, sizeof data, f);
		fclose(f);
		LLVMFuzzerTestOneInput(data, n);
	}
	printf("%s: %d inputs replayed\n", argv[0], argc - 1);
	return 0;
}
